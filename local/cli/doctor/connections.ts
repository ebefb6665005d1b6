import { connect } from '#lib/db/client.ts'
import { probeNotify } from '#lib/db/probe-notify.ts'
import { sharesConnections } from '#lib/db/detect-pooler.ts'
import { fail, ok, warn, type Check, type Deployment } from './check.ts'

const heardWithinMs = 5_000

export const poolerCheck: Check<Deployment> = {
  name: 'pooler',
  async find({ config, databaseUrl }) {
    const open = () => connect(databaseUrl, { max: 1, applicationName: 'millrace-doctor', prepare: false })
    const [one, other] = [open(), open()]
    try {
      const isShared = await sharesConnections(one, other)
      const text = isShared
        ? 'a pooler shares connections between transactions'
        : 'no pooler that shares connections was noticed'
      if (isShared === config.databasePooled) return ok(text)
      return isShared
        ? fail(text, 'set MILLRACE_DATABASE_POOLED=true, and MILLRACE_DATABASE_DIRECT_URL for LISTEN')
        : warn(`${text}, but MILLRACE_DATABASE_POOLED=true`, 'without one, false makes statements faster')
    } finally {
      await Promise.all([one.close(), other.close()])
    }
  },
}

export const listenCheck: Check<Deployment> = {
  name: 'LISTEN',
  async find({ config, db }) {
    const isDirect = config.databaseDirectUrl !== undefined
    if (config.databasePooled && !isDirect) {
      return warn('runners poll, as a pooler loses notifications', 'set MILLRACE_DATABASE_DIRECT_URL')
    }
    const place = isDirect ? 'MILLRACE_DATABASE_DIRECT_URL' : 'DATABASE_URL'
    const advice = `${place} must lead to the same database without a pooler`
    const tookMs = await probeNotify(db, heardWithinMs)
    if (tookMs !== undefined) return ok(`a notification is heard after ${tookMs} ms`)
    return fail(`a notification is not heard within ${heardWithinMs / 1000} s`, advice)
  },
}
