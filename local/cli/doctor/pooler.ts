import type { Config } from '#lib/config/config.ts'
import { connect } from '#lib/db/client.ts'
import { sharesConnections } from '#lib/db/detect-pooler.ts'
import { fail, ok, warn, type Check } from '#lib/doctor/check.ts'

/** Opens its own connections, so it runs only from the command line. */
export const poolerCheck: Check<{ readonly config: Config; readonly databaseUrl: string }> = {
  name: 'pooler',
  async find({ config, databaseUrl }) {
    const open = () => connect(databaseUrl, { max: 1, applicationName: 'millrace-doctor', prepare: false })
    const [one, other] = [open(), open()]
    try {
      const isShared = await sharesConnections(one, other)
      const text = isShared
        ? 'a pooler shares connections between transactions'
        : 'no pooler that shares connections was detected'
      if (isShared === config.databasePooled) return ok(text)
      return isShared
        ? fail(text, 'set MILLRACE_DATABASE_POOLED=true, and MILLRACE_DATABASE_DIRECT_URL for LISTEN')
        : warn(
            `${text}, but MILLRACE_DATABASE_POOLED=true`,
            'without a pooler, false makes statements faster',
          )
    } finally {
      await Promise.all([one.close(), other.close()])
    }
  },
}
