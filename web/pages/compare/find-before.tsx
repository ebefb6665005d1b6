import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { useQuery } from '../../data/cache.ts'
import type { Ask } from '../../data/call.ts'
import { useData } from '../../data/page-data.ts'
import { runNameText, type RunName } from '../../model/compare-runs.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'

/** Runs of the same second that are searched. */
const lookedAtMax = 100

/** Redirects to the comparison of a run with the one before it. */
export function FindBefore({ run }: { readonly run: RunName }) {
  const { ask } = useData()
  const reading = useQuery(['compare', run], async () => ({ before: await runBefore(ask, run) }))
  return (
    <Loaded reading={reading} what={`the run before ${run.runId}`}>
      {({ before }) =>
        before === undefined ? (
          <Notice title="This is the first run of its DAG">
            There is no earlier run to compare it with.
          </Notice>
        ) : (
          <Lead a={before} b={run} />
        )
      }
    </Loaded>
  )
}

function Lead({ a, b }: { readonly a: RunName; readonly b: RunName }) {
  const { links } = useData()
  const { route } = useLocation()
  useEffect(() => route(links.compare(runNameText(a), runNameText(b)), true), [])
  return null
}

async function runBefore(ask: Ask, { name, runId }: RunName): Promise<RunName | undefined> {
  const { dagRun } = await ask('getDagRun', { params: { name, dagRunId: runId } })
  const { createdAtMs } = dagRun
  if (createdAtMs === undefined) return undefined
  const query = { name, toDate: Math.ceil(createdAtMs / 1_000), limit: lookedAtMax }
  const { dagRuns } = (await ask('listDagRuns', { query })) as { dagRuns: { dagRunId: string }[] }
  const at = dagRuns.findIndex(({ dagRunId }) => dagRunId === dagRun.dagRunId)
  const before = at < 0 ? undefined : dagRuns[at + 1]
  return before && { name, runId: before.dagRunId }
}
