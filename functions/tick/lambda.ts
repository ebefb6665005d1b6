import { applyingOnce } from '#lib/app/apply-settings.ts'
import { runTick, type TickReport } from '#lib/tick/run-tick.ts'
import { syncOnce } from '#lib/dag-folder/keep-syncing.ts'
import { functionParts } from '../function-parts.ts'
import { tickOf } from './index.ts'

const parts = functionParts('tick')
const ticking = tickOf(parts)
const apply = applyingOnce(parts, 'all')

/** AWS Lambda, invoked by EventBridge Scheduler or another clock: runs one tick and ignores the event. */
export async function handler(): Promise<TickReport> {
  await apply()
  const { dagsDir } = parts.config
  if (dagsDir !== undefined) await syncOnce(parts, dagsDir)
  return await runTick(ticking)
}
