import type { Config, Environment } from '#lib/config/config.ts'

/** What doctor knows of the machine on which it runs. */
export interface Machine {
  readonly config: Config
  readonly environment: Environment
}
