import type { Config } from '#lib/config/config.ts'
import { messageOf } from '#lib/core/errors.ts'
import type { Database } from '#lib/db/client.ts'

/** The result of a check. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly text: string
  readonly advice?: string
  /** Page of the docs of the service: `/docs/runbooks.html#…`. */
  readonly help?: string
  /** True when all later checks would fail for the same reason. */
  readonly isLast?: true
}

export type NamedFinding = { readonly check: string } & Omit<Finding, 'isLast'>

/** A setting whose value in this process (`after`) differs from the one in force (`before`), applied by `by`. */
export interface OverruledSetting {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
  readonly by: string | null
}

/** The parts of a deployment that a process of the service can examine. */
export interface ServiceView {
  readonly config: Pick<
    Config,
    'dagsDir' | 'logStore' | 'logBytesMax' | 'leaseMs' | 'databasePooled' | 'databaseDirectUrl' | 'warnings'
  >
  readonly db: Database
  readonly overruled: () => Promise<readonly OverruledSetting[]>
}

export interface Check<On> {
  readonly name: string
  readonly find: (on: On) => Promise<Finding>
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warn = (text: string, advice: string): Finding => ({ level: 'warn', text, advice })
export const fail = (text: string, advice: string): Finding => ({ level: 'fail', text, advice })

/** Runs a check. Errors and timeouts (`msMax`) become findings; a timeout ends the examination. */
export async function findingOf<On>(
  { name, find }: Check<On>,
  on: On,
  msMax: number,
): Promise<{ readonly check: string } & Finding> {
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(
    () =>
      late.resolve({ ...fail(`no answer within ${msMax / 1000} s`, 'check whether it hangs'), isLast: true }),
    msMax,
  )
  try {
    return { check: name, ...(await Promise.race([find(on), late.promise])) }
  } catch (error) {
    return { check: name, ...fail(messageOf(error), 'see the message') }
  } finally {
    clearTimeout(timer)
  }
}
