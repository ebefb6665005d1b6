import { secretsIn } from '#lib/config/settings/all.ts'
import { messageOf } from '#lib/core/errors.ts'
import { findExposures } from '#lib/privileges/ancestors.ts'
import { resolveStepUser } from '#lib/privileges/step-user.ts'
import { fail, ok, warn, type Check, type Finding } from '#lib/doctor/check.ts'
import type { Machine } from './machine.ts'

/** Secrets and files of the service that steps can read; relevant only on machines with runners. */
export const stepsCheck: Check<Machine> = {
  name: 'steps',
  find({ config, environment }) {
    const { stepUser } = config.runner
    return Promise.resolve(stepUser === undefined ? exposures(environment) : ownUser(stepUser))
  },
}

function ownUser(setting: string): Finding {
  try {
    const { name, uid, gid } = resolveStepUser(setting)
    return ok(`run as ${name} (${uid}:${gid})`)
  } catch (error) {
    return fail(messageOf(error), 'correct the setting, or run doctor as the user of the service')
  }
}

function exposures(environment: Machine['environment']): Finding {
  const found = findExposures(secretsIn(environment), 'others')
  if (found.length > 0) {
    const shown = found.map(
      ({ pid, program, settings }) => `process ${pid} (${program}) shows ${settings.join(', ')}`,
    )
    return warn(
      `${shown.join('; ')} to every step`,
      'set MILLRACE_STEP_USER, or start the service from a process that does not have them',
    )
  }
  const text = 'run as the user of the runner, and can read what it can read'
  return process.getuid?.() === 0 ? warn(text, 'set MILLRACE_STEP_USER') : ok(text)
}
