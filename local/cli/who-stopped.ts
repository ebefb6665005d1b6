import type { Operations } from '#lib/client/api-types.gen.ts'
import { runStatus, type RunDetails } from './runs.ts'
import { Refusal, type Service } from './service.ts'

type Entry = Operations['listAuditEntries']['responses'][200]['entries'][number]

/** Maximum number of audit log pages to search, newest first. */
const pagesMax = 5

/**
 * Finds the user or key that stopped a run in the audit log.
 * @returns its name; undefined when no call stopped the run, or the caller may not read the audit log
 */
export async function whoStopped(service: Service, run: RunDetails): Promise<string | undefined> {
  const { name, dagRunId, startedAt, queuedAt } = run
  if (runStatus(run) !== 'cancelled') return undefined
  const path = `/dag-runs/${encodeURIComponent(name)}/${encodeURIComponent(dagRunId)}/`
  const ofAll = `/dags/${encodeURIComponent(name)}/stop-all`
  const started = startedAt || queuedAt
  // Times of the API have whole seconds.
  const ended = Date.parse(run.finishedAt) + 1_000
  const isStop = ({ at, action, target }: Entry): boolean =>
    action === 'stopAllDagRuns'
      ? target.includes(ofAll) && at >= started && Date.parse(at) < ended
      : ['stopDagRun', 'dequeueDagRun'].includes(action) && target.includes(path)
  try {
    let cursor: string | undefined
    for (let page = 0; page < pagesMax; page++) {
      const query = { limit: 1_000, ...(cursor !== undefined && { cursor }) }
      const { entries, nextCursor } = await service.ask('listAuditEntries', { query })
      const found = entries.find((entry) => entry.status < 300 && isStop(entry))
      if (found !== undefined) return found.actor
      cursor = nextCursor
      if (cursor === undefined || (entries.at(-1)?.at ?? '') < started) return undefined
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return undefined
}
