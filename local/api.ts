/** `npm run api`: the API alone, on a database that `npm run migrate` has prepared. */
import { printError } from './print.ts'
import { runPart } from './run-part.ts'
import { serveApi } from './serve-api.ts'

await runPart('api', async ({ deps, closing }) => {
  const api = await serveApi(deps)
  closing.add('API', () => api.close())
  printError(`Millrace API listens on ${api.url}`)
  return 'serving'
})
