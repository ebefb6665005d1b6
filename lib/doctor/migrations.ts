import { listed, migrationState } from '#lib/db/migration-state.ts'
import { fail, ok, type Check, type ServiceView } from './check.ts'

export const migrationsCheck: Check<ServiceView> = {
  name: 'migrations',
  async find({ db }) {
    const { present, pending, changed, newer } = await migrationState(db)
    if (newer.length > 0) {
      return fail(`the database is newer than this program: it has ${listed(newer)}`, 'upgrade this program')
    }
    if (changed.length > 0) {
      return fail(`changed after they were applied: ${changed.join(', ')}`, 'put the files back as they were')
    }
    if (pending.length === 0) return ok(`${present.length} present, none pending`)
    const text = `${present.length} present, ${pending.length} pending: ${listed(pending)}`
    const finding = fail(text, 'run millrace migrate')
    return present.length === 0 ? { ...finding, isLast: true } : finding
  },
}
