/**
 * `npm start`: the whole service with one command. Embedded Postgres (unless DATABASE_URL is set), API and tick in
 * this process, the runner as a child.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { runPart } from './run-part.ts'

const load = () => import('./serve-all.ts')

const ended = runPart('server', async (start) => await (await load()).serveAll(start))
// Postgres is spawned in this turn of the event loop, so the rest of the program loads while it starts.
await nextTurn()
await load()
await ended
