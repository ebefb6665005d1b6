import type { Config, Environment } from '#lib/config/config.ts'

/** The settings and the environment of the machine on which doctor runs. */
export interface Machine {
  readonly config: Config
  readonly environment: Environment
}
