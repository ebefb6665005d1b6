import type { Operations } from '#lib/client/api-types.gen.ts'
import { runStatus, type RunDetails } from './runs.ts'
import { Refusal, type Service } from './service.ts'

type Entry = Operations['listAuditEntries']['responses'][200]['entries'][number]

/** Audit entries that are looked through, newest first. */
const pagesMax = 5

/**
 * Who stopped a run, from the audit log: the name of a user or key.
 * @returns undefined when it was not stopped by a call, or the caller may not read the audit log
 */
export async function whoStopped(service: Service, run: RunDetails): Promise<string | undefined> {
  const { name, dagRunId, startedAt, queuedAt } = run
  if (runStatus(run) !== 'cancelled') return undefined
  const path = `/dag-runs/${encodeURIComponent(name)}/${encodeURIComponent(dagRunId)}/`
  const ofAll = `/dags/${encodeURIComponent(name)}/stop-all`
  const begun = startedAt || queuedAt
  // Times of the API have whole seconds.
  const ended = Date.parse(run.finishedAt) + 1_000
  const isStop = ({ at, action, target }: Entry): boolean =>
    action === 'stopAllDagRuns'
      ? target.includes(ofAll) && at >= begun && Date.parse(at) < ended
      : ['stopDagRun', 'dequeueDagRun'].includes(action) && target.includes(path)
  try {
    let cursor: string | undefined
    for (let page = 0; page < pagesMax; page++) {
      const query = { limit: 1_000, ...(cursor !== undefined && { cursor }) }
      const { entries, nextCursor } = await service.ask('listAuditEntries', { query })
      const found = entries.find((entry) => entry.status < 300 && isStop(entry))
      if (found !== undefined) return found.actor
      cursor = nextCursor
      if (cursor === undefined || (entries.at(-1)?.at ?? '') < begun) return undefined
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return undefined
}
