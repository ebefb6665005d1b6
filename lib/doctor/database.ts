import { messageOf } from '#lib/core/errors.ts'
import { serverFacts } from '#lib/db/server-facts.ts'
import { fail, ok, warn, type Check, type ServiceView } from './check.ts'

const majorMin = 15
const slowMs = 50
const clockMsMax = 1_000

export const databaseCheck: Check<ServiceView> = {
  name: 'database',
  async find({ db }) {
    try {
      const { version, major, isReadOnly, answerMs } = await serverFacts(db)
      const text = `PostgreSQL ${version} answers in ${answerMs} ms`
      if (major < majorMin) return fail(text, `Millrace needs PostgreSQL ${majorMin} or newer`)
      if (isReadOnly) return fail(`${text}, and refuses changes`, 'DATABASE_URL must lead to the primary')
      if (answerMs > slowMs) return warn(text, 'put the service near its database')
      return ok(text)
    } catch (error) {
      const advice = 'check DATABASE_URL, the network, and that PostgreSQL is up'
      return { ...fail(`it cannot be reached: ${messageOf(error)}`, advice), isLast: true }
    }
  },
}

export const clockCheck: Check<ServiceView> = {
  name: 'clock',
  async find({ db }) {
    const { aheadMs, answerMs } = await serverFacts(db)
    const apart = Math.max(0, Math.abs(aheadMs) - answerMs / 2)
    const text = `the database is ${Math.round(Math.abs(aheadMs))} ms ${aheadMs < 0 ? 'behind' : 'ahead'}`
    if (apart <= clockMsMax) return ok(text)
    return warn(text, 'times in logs are off (what is due is decided by the database): run NTP on both')
  },
}
