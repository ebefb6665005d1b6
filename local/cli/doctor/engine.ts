import { executorSettings } from '#functions/runner/index.ts'
import { openEngine } from '#lib/executors/docker/client.ts'
import { faultOf } from '#lib/executors/docker/engine-fault.ts'
import { ok, warn, type Check } from '#lib/doctor/check.ts'
import type { Machine } from './machine.ts'

/** Relevant only for docker steps, on machines with runners. */
export const engineCheck: Check<Machine> = {
  name: 'container engine',
  async find({ config, environment }) {
    const engine = openEngine({
      env: { HOME: environment['HOME'] ?? '' },
      settings: executorSettings(config, environment),
    })
    try {
      const { Version: version } = await engine.docker.version()
      return ok(`version ${version} at ${engine.address}`)
    } catch (error) {
      return warn(
        faultOf(error, engine).message,
        'docker steps fail here: start an engine, or set DOCKER_HOST',
      )
    }
  },
}
