import { applyingOnce } from '#lib/app/apply-settings.ts'
import { runTick, type TickReport } from '#lib/tick/run-tick.ts'
import { syncOnce } from '#lib/dag-folder/keep-syncing.ts'
import { functionDeps } from '../function-deps.ts'
import { tickOf } from './index.ts'

const deps = functionDeps('tick')
const ticking = tickOf(deps)
const apply = applyingOnce(deps, 'all')

/** AWS Lambda, invoked by EventBridge Scheduler or another clock: runs one tick and ignores the event. */
export async function handler(): Promise<TickReport> {
  await apply()
  const { dagsDir } = deps.config
  if (dagsDir !== undefined) await syncOnce(deps, dagsDir)
  return await runTick(ticking)
}
