import { ok, warn, type Check, type ServiceView } from './check.ts'

/** Checks that MILLRACE_TZ, MILLRACE_BASE_CONFIG and MILLRACE_QUEUES are those of the database, which all parts use. */
export const sharedSettingsCheck: Check<ServiceView> = {
  name: 'shared settings',
  async find({ overruled }) {
    const others = await overruled()
    if (others.length === 0) return ok('the values of this environment are in force')
    const differences = others.map(
      ({ name, before, after, by }) =>
        `${name} is ${after} here, but ${before} is in force, applied by ${by}`,
    )
    return warn(differences.join('; '), 'give every tick the same settings: the last to start wins')
  },
}
