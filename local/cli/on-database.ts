import { createApp } from '#functions/api/index.ts'
import { migrate } from '#lib/db/migrate.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { runPart } from '../run-part.ts'
import { serviceOver, type Service } from './service.ts'

/**
 * Calls the API in this process, without credentials, on the database of the settings: for users who have no key yet.
 * Ends the process.
 */
export async function onDatabase(work: (service: Service) => Promise<void>): Promise<never> {
  // The log would mix with the answers on standard output.
  process.env['MILLRACE_LOG_LEVEL'] = 'silent'
  return await runPart('keys', async ({ deps }) => {
    const { config, db, logs, defaults } = deps
    await migrate(db)
    const app = createApp({
      db,
      logs,
      log: createLog({ level: 'silent', part: 'keys' }),
      defaults,
      auth: { basic: undefined, token: undefined },
      leaseMs: config.leaseMs,
      version: '',
      buildDate: '',
    })
    const fetch = (request: Request): Response | Promise<Response> => app.fetch(request)
    await work(serviceOver({ baseUrl: 'http://localhost/api/v2', fetch }))
    return 'done'
  })
}
