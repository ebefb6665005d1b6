import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose, type Part, type Parts } from '#lib/app/compose.ts'
import { readConfig } from '#lib/config/config.ts'

/** An instance serves one call at a time. */
const connections = 2
/** Connections that were idle for so many seconds are not reused, because the platform may have frozen the instance. */
const idleSec = 5

/**
 * What a function needs, created once per instance from the environment.
 * @throws Error when a setting is wrong or missing, or the API would be open to anybody: a function has no address that
 * only its own machine can reach
 */
export function functionParts(part: Part): Parts {
  const config = readConfig({
    // The only place where a function may write.
    MILLRACE_DATA_DIR: join(tmpdir(), 'millrace'),
    ...process.env,
    ...(part === 'api' && { MILLRACE_HOST: '0.0.0.0' }),
  })
  if (config.databaseUrl === undefined)
    throw new Error('DATABASE_URL must be set: a function has no embedded Postgres')
  return compose(config, part, config.databaseUrl, { connections, idleSec })
}
