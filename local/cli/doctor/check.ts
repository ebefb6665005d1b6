import type { Config, Environment } from '#lib/config/config.ts'
import type { Database } from '#lib/db/client.ts'

/** The result of a check: a sentence, and what to do about it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly text: string
  readonly advice?: string
  /** Page of the docs of the service: `/docs/runbooks.html#…`. */
  readonly help?: string
  /** True when all later checks would fail for the same reason. */
  readonly isLast?: true
}

/** The deployment to examine. */
export interface Deployment {
  readonly config: Config
  readonly environment: Environment
  readonly databaseUrl: string
  readonly db: Database
}

export interface Check<On> {
  readonly name: string
  readonly find: (on: On) => Promise<Finding>
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warn = (text: string, advice: string): Finding => ({ level: 'warn', text, advice })
export const fail = (text: string, advice: string): Finding => ({ level: 'fail', text, advice })
