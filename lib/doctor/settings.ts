import { ok, warn, type Check, type ServiceView } from './check.ts'

/** Reports settings that do not prevent the start, but are ignored. */
export const settingsCheck: Check<{ readonly config: Pick<ServiceView['config'], 'warnings'> }> = {
  name: 'settings',
  find({ config: { warnings } }) {
    if (warnings.length === 0) return Promise.resolve(ok('understood'))
    return Promise.resolve(warn(warnings.join('; '), 'remove or correct these settings'))
  },
}
