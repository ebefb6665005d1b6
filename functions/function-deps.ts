import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose, type Part, type Deps } from '#lib/app/compose.ts'
import { readConfig } from '#lib/config/config.ts'

/** Few, because an instance serves one request at a time. */
const connections = 2
/** Connections idle for longer are not reused, because the platform may have frozen the instance. Seconds. */
const idleSec = 5

/**
 * Creates the dependencies of a function from the environment, once per instance.
 * @throws Error when a setting is wrong or missing, or the API has no authentication: a function has no loopback
 * address to restrict it to
 */
export function functionDeps(part: Part): Deps {
  const config = readConfig({
    // The only folder that a function may write to.
    MILLRACE_DATA_DIR: join(tmpdir(), 'millrace'),
    ...process.env,
    ...(part === 'api' && { MILLRACE_HOST: '0.0.0.0' }),
  })
  if (config.databaseUrl === undefined)
    throw new Error('DATABASE_URL must be set: a function has no embedded Postgres')
  return compose(config, part, config.databaseUrl, { connections, idleSec })
}
