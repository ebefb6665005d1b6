import { type Start, runPart } from '../run-part.ts'

/**
 * Runs `work` on the configured database in this process, then ends the process. The service log is silent, since it
 * would mix with the results.
 */
export async function runTool(
  name: 'backup' | 'restore' | 'move-logs',
  work: (start: Start) => Promise<void>,
): Promise<never> {
  process.env['MILLRACE_LOG_LEVEL'] = 'silent'
  return await runPart(name, async (start) => {
    await work(start)
    return 'done'
  })
}
