import { probeNotify } from '#lib/db/probe-notify.ts'
import { fail, ok, warn, type Check, type ServiceView } from './check.ts'

const heardWithinMs = 5_000

export const listenCheck: Check<ServiceView> = {
  name: 'LISTEN',
  async find({ config, db }) {
    const isDirect = config.databaseDirectUrl !== undefined
    if (config.databasePooled && !isDirect) {
      return warn('runners poll, as a pooler loses notifications', 'set MILLRACE_DATABASE_DIRECT_URL')
    }
    const setting = isDirect ? 'MILLRACE_DATABASE_DIRECT_URL' : 'DATABASE_URL'
    const advice = `${setting} must lead to the same database without a pooler`
    const tookMs = await probeNotify(db, heardWithinMs)
    if (tookMs !== undefined) return ok(`a notification arrives after ${tookMs} ms`)
    return fail(`no notification arrives within ${heardWithinMs / 1000} s`, advice)
  },
}
