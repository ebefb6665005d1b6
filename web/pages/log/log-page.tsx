import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso/router'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { Switch } from '../../controls/switch/switch.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { lineOfHash } from '../../model/log-window.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { stepRows, stepToLookAt, type StepRow } from '../../model/step-rows.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { LogSearch } from '../../parts/log-search/log-search.tsx'
import { createLogPages, type LogPages } from '../../parts/log-view/log-pages.ts'
import { LogView } from '../../parts/log-view/log-view.tsx'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'
import type { RunPlace } from '../../parts/step-table/step-name.tsx'
import { StepChoice } from './step-choice.tsx'
import { StreamChoice, type Stream } from './stream-choice.tsx'

/** Milliseconds between two looks at the end of a log that somebody follows. */
const followMs = 1_000

/** What a step of a run wrote. */
export function LogPage() {
  const { ask } = useData()
  const { params } = useRoute()
  const { query } = useLocation()
  const place = { name: params['name'] ?? '', runId: params['runId'] ?? '' }
  const run = useQuery(
    ['run', place.name, place.runId],
    () =>
      ask('getDagRun', { params: { name: place.name, dagRunId: place.runId } }).then(
        (answer) => answer.dagRun,
      ),
    (data) => data === undefined || !hasEnded(runState(data.status)),
  )
  return (
    <Loaded reading={run} what={`run ${place.runId} of ${place.name}`}>
      {(data) => {
        const steps = stepRows(data)
        const row = steps.find(({ name }) => name === query['step']) ?? stepToLookAt(steps) ?? steps[0]
        const stream = query['stream'] === 'stderr' ? 'stderr' : 'stdout'
        if (row === undefined) return <PageHead title="Log" name="Log" />
        return <StepLog key={`${row.name} ${stream}`} place={place} steps={steps} row={row} stream={stream} />
      }}
    </Loaded>
  )
}

interface Props {
  readonly place: RunPlace
  readonly steps: readonly StepRow[]
  readonly row: StepRow
  readonly stream: Stream
}

function StepLog({ place, steps, row, stream }: Props) {
  const { ask, links } = useData()
  const params = { name: place.name, dagRunId: place.runId, stepName: row.name }
  const read = (offset: number, limit: number) =>
    ask('getStepLog', { params, query: { stream, offset, limit } })
  const pages = useMemo(() => createLogPages(read), [])
  const [marked, setMarked] = useState(() => lineOfHash(location.hash))
  const isOver = hasEnded(row.state)
  const [isFollowing, setFollowing] = useState(marked === undefined)
  const [isWrapped, setWrapped] = useState(false)

  useReadingOn(pages, isOver)

  const mark = (line: number): void => {
    setMarked(line)
    setFollowing(false)
    history.replaceState(history.state, '', `${location.pathname}${location.search}#L${line + 1}`)
  }
  return (
    <div class="log-page">
      <PageHead
        crumb={
          <>
            <a href={links.runs}>Runs</a> / <a href={links.run(place.name, place.runId)}>{place.name}</a>
          </>
        }
        title={row.name}
        name={`Log of ${row.name}`}
      >
        <StateSign state={row.state} />
      </PageHead>
      <div class="log-page-tools">
        <StepChoice place={place} steps={steps} chosen={row.name} />
        <StreamChoice place={place} step={row.name} chosen={stream} />
        <Switch name="Follow" isOn={isFollowing} onChange={setFollowing} isLabelled />
        <Switch name="Wrap" isOn={isWrapped} onChange={setWrapped} isLabelled />
        <LogSearch
          find={async (q) => await textOf(await ask('searchStepLog', { params, query: { stream, q } }))}
          current={marked === undefined ? undefined : marked + 1}
          onGo={(line) => mark(line - 1)}
        />
        <RawLink href={links.rawLog(place.name, place.runId, { step: row.name, stream })} />
        <span class="quiet">{pages.total.value === undefined ? '' : `${pages.total.value} lines`}</span>
      </div>
      <div class="log-page-log">
        <LogView
          pages={pages}
          isFollowing={isFollowing}
          isWrapped={isWrapped}
          marked={marked}
          onMark={mark}
          onScrolled={setFollowing}
        />
      </div>
    </div>
  )
}

/** The whole log as a file. */
function RawLink({ href }: { readonly href: string }) {
  return (
    <a class="log-page-raw" href={href} download>
      Raw
    </a>
  )
}

const textOf = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text()

/** Reads the end of a log, and what comes after it while somebody looks. */
function useReadingOn(pages: LogPages, isOver: boolean): void {
  useEffect(() => {
    void pages.readOn()
    if (isOver) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) void pages.readOn()
    }, followMs)
    return () => clearInterval(timer)
  }, [pages, isOver])
}
