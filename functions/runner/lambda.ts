import { secretSettings } from '#lib/config/env.ts'
import { hideEnvironment } from '#lib/config/hide-environment.ts'
import { functionParts } from '../function-parts.ts'
import { run } from './index.ts'

/** For the last statements, before the platform ends the instance. */
const spareMs = 2_000
const environment = { ...process.env }
const parts = functionParts('runner')
// Steps run as the same user: neither our secrets nor the rights of the function are theirs.
hideEnvironment([...secretSettings, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'])

/**
 * AWS Lambda: claims and executes runs until the time of the call is nearly over, less the grace of the steps, or
 * until the budget of the settings is; then gives its runs back, and the next call goes on with them.
 */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const { budgetMs = Infinity, graceMs } = parts.config.runner
  const left = context.getRemainingTimeInMillis() - graceMs - spareMs
  await run({ parts, environment, budgetMs: Math.max(0, Math.min(budgetMs, left)) }).done
}
