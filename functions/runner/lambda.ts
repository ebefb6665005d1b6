import { secretSettings } from '#lib/config/settings/all.ts'
import { hideEnvironment } from '#lib/privileges/hide-environment.ts'
import { sealProcess } from '#lib/privileges/seal-process.ts'
import { functionDeps } from '../function-deps.ts'
import { run } from './index.ts'

/** Time for the last statements before the platform ends the invocation, milliseconds. */
const spareMs = 2_000
const environment = { ...process.env }
const deps = functionDeps('runner')
// Steps run as the same user, and must get neither the secrets of the service nor the permissions of the function.
hideEnvironment(process.env, [
  ...secretSettings,
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
])
sealProcess()

/**
 * AWS Lambda: claims and executes runs until the invocation time, less the grace period of steps, is nearly over or the
 * configured budget is used up. Then gives its runs back; the next invocation continues them.
 */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const { budgetMs = Infinity, graceMs } = deps.config.runner
  const leftMs = context.getRemainingTimeInMillis() - graceMs - spareMs
  await run({ deps, environment, budgetMs: Math.max(0, Math.min(budgetMs, leftMs)) }).done
}
