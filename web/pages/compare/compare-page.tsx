import { useLocation } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { runKey, type RunDetails } from '../../data/run-calls.ts'
import { readRunName, runNameText, type RunName } from '../../model/compare-runs.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { Compared } from './compared.tsx'
import { FindBefore } from './find-before.tsx'

/** What is different between two runs. */
export function ComparePage() {
  const { links } = useData()
  const { query } = useLocation()
  const [a, b] = [readRunName(query['a']), readRunName(query['b'])]
  return (
    <>
      <PageHead
        title="Compare runs"
        name="Compare runs"
        crumb={
          <>
            <a href={links.runs}>Runs</a> / compare
          </>
        }
      >
        {a !== undefined && b !== undefined && (
          <a class="compare-page-swap" href={links.compare(runNameText(b), runNameText(a))}>
            Swap
          </a>
        )}
      </PageHead>
      {b === undefined && (
        <Notice title="No runs to compare">
          Select two <a href={links.runs}>runs</a>, or press Compare on the page of one.
        </Notice>
      )}
      {b !== undefined && a === undefined && <FindBefore run={b} />}
      {a !== undefined && b !== undefined && <Two key={`${query['a']} ${query['b']}`} a={a} b={b} />}
    </>
  )
}

function Two({ a, b }: { readonly a: RunName; readonly b: RunName }) {
  const [first, second] = [useRun(a), useRun(b)]
  return (
    <Loaded reading={first} what={`run ${a.runId} of ${a.name}`}>
      {(before) => (
        <Loaded reading={second} what={`run ${b.runId} of ${b.name}`}>
          {(after) => <Compared a={before} b={after} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function useRun({ name, runId }: RunName) {
  const { ask } = useData()
  return useQuery<RunDetails>([...runKey({ name, runId }), 'compared'], () =>
    ask('getDagRun', { params: { name, dagRunId: runId } }).then(({ dagRun }) => dagRun),
  )
}
