/**
 * `npm start`: the whole service with one command. Embedded Postgres (unless DATABASE_URL is set), API and tick in
 * this process, the runner as a child.
 */
import { runPart } from './run-part.ts'

const ended = runPart('server', async (start) => await (await service).serveAll(start))
// Postgres starts while the rest of the program is loaded.
const service = import('./serve-all.ts')
await ended
