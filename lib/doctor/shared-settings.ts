import { ok, warn, type Check, type ServiceView } from './check.ts'

/** MILLRACE_TZ, MILLRACE_BASE_CONFIG and MILLRACE_QUEUES, of which those in the database count for every part. */
export const sharedSettingsCheck: Check<ServiceView> = {
  name: 'shared settings',
  async find({ overruled }) {
    const others = await overruled()
    if (others.length === 0) return ok('those of this environment are the ones that count')
    const told = others.map(
      ({ name, before, after, by }) => `${name} is ${after} here, but ${before} counts, applied by ${by}`,
    )
    return warn(told.join('; '), 'give every tick the same settings: the last to start wins')
  },
}
