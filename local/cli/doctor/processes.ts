import { resolveShell } from '#lib/executors/shell/default-shell.ts'
import { spawnWay } from '#lib/executors/shell/start-process.ts'
import { messageOf } from '#lib/core/errors.ts'
import { fail, ok, type Check } from '#lib/doctor/check.ts'
import type { Machine } from './machine.ts'

/** The shell of steps that name none; only on machines of runners. */
export const shellCheck: Check<Machine> = {
  name: 'shell',
  find({ config, environment }) {
    try {
      const shell = resolveShell(config.runner.shell, environment['PATH'])
      return Promise.resolve(ok(`${shell} runs the steps that name none`))
    } catch (error) {
      return Promise.resolve(fail(messageOf(error), 'install it, or correct the setting: no runner starts'))
    }
  },
}

/** How this program, and a runner on the same Node, starts processes. */
export const spawnCheck: Check<Machine> = {
  name: 'spawn',
  find() {
    const { spawn, why } = spawnWay()
    return Promise.resolve(ok(why === undefined ? spawn : `${spawn}, which is slower; ${why}`))
  },
}
