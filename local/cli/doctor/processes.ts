import { resolveShell } from '#lib/executors/shell/default-shell.ts'
import { spawnWay } from '#lib/executors/shell/start-process.ts'
import { messageOf } from '#lib/core/errors.ts'
import { fail, ok, type Check } from '#lib/doctor/check.ts'
import type { Machine } from './machine.ts'

/** The default shell of steps; relevant only on machines with runners. */
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

/** The way in which this program, and a runner on the same Node, spawns processes. */
export const spawnCheck: Check<Machine> = {
  name: 'spawn',
  find() {
    const { spawn, why } = spawnWay()
    return Promise.resolve(ok(why === undefined ? spawn : `${spawn}, which is slower; ${why}`))
  },
}
