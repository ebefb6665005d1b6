import { useEffect, useMemo, useState } from 'preact/hooks'
import { CopyButton } from '../../controls/copy/copy-button.tsx'
import { Button } from '../../controls/button/button.tsx'
import { Switch } from '../../controls/switch/switch.tsx'
import { useData } from '../../data/page-data.ts'
import { callsAbout } from '../../data/run-calls.ts'
import type { RunAddress } from '../../model/links.ts'
import { extended, hashOfLines, linesOfHash, type LineRange } from '../../model/log-window.ts'
import { hasEnded } from '../../model/states.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { LogSearch, type Search } from '../../parts/log-search/log-search.tsx'
import { createLogPages, type LogPages } from '../../parts/log-view/log-pages.ts'
import { LogView } from '../../parts/log-view/log-view.tsx'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'
import { AttemptChoice } from './attempt-choice.tsx'
import { ErrorLines } from './error-lines.tsx'
import { LogHead } from './log-head.tsx'
import { StepChoice } from './step-choice.tsx'
import { StreamChoice } from './stream-choice.tsx'

/**
 * Polling interval at the end of a followed log, milliseconds. A stream would send every line, however
 * fast a step writes; a poll returns at most two pages.
 */
const followMs = 1_000
/** Bytes of a line that are sent. */
const lineBytes = 8_192

interface Props {
  readonly address: RunAddress
  readonly steps: readonly StepRow[]
  readonly row: StepRow
  readonly stream: 'stdout' | 'stderr'
  /** The attempt of the run; default: the latest with output. */
  readonly attempt?: number
  /** The number of attempts of the run. */
  readonly attempts: number
}

/** What a step wrote to one of its streams. */
export function StepLog({ address, steps, row, stream, attempt, attempts }: Props) {
  const { ask, links, preferences } = useData()
  const calls = callsAbout(ask, address)
  const log = { step: row.name, stream, ...(attempt !== undefined && { attempt }) }
  const which = { stream, ...(attempt !== undefined && { attempt }) }
  const pages = useMemo(
    () => createLogPages((offset, limit) => calls.stepLog(row.name, { ...which, offset, limit, lineBytes })),
    [],
  )
  const [marked, setMarked] = useMarked()
  const [isFollowing, setFollowing] = useState(marked === undefined)
  const [isWrapped, setWrapped] = useState(preferences.isWrapped.peek())
  useReadingOn(pages, hasEnded(row.state) || (attempt ?? attempts) < attempts)

  const mark = (range: LineRange): void => {
    setMarked(range)
    setFollowing(false)
  }
  const searching = {
    find: (search: Search) => calls.searchStepLog(row.name, { ...which, ...search }),
    current: marked === undefined ? undefined : marked.first + 1,
    onGo: (line: number) => mark({ first: line - 1, last: line - 1 }),
  }
  return (
    <div class="log-page">
      <LogHead address={address} title={row.name}>
        <StateSign state={row.state} />
      </LogHead>
      <div class="log-page-tools">
        <StepChoice address={address} steps={steps} chosen={row.name} />
        <StreamChoice address={address} step={row.name} chosen={stream} attempt={attempt} />
        {attempts > 1 && <AttemptChoice address={address} log={log} attempts={attempts} />}
        <Switch name="Follow" isOn={isFollowing} onChange={setFollowing} isLabelled />
        <Switch name="Wrap" isOn={isWrapped} onChange={setWrapped} isLabelled />
        <LogSearch {...searching} />
        <ErrorLines {...searching} />
        <a class="log-page-raw" href={links.rawLog(address, log)} download>
          Raw
        </a>
        <Copies pages={pages} marked={marked} />
        <Count pages={pages} />
      </div>
      <div class="log-page-log">
        <LogView
          pages={pages}
          isFollowing={isFollowing}
          isWrapped={isWrapped}
          marked={marked}
          onMark={(line, isRange) => mark(extended(isRange ? marked : undefined, line))}
          onScrolled={setFollowing}
        />
        <NewLines pages={pages} isFollowing={isFollowing} onGo={() => setFollowing(true)} />
      </div>
    </div>
  )
}

/** The lines that the address names. */
function useMarked(): [LineRange | undefined, (range: LineRange) => void] {
  const [marked, setMarked] = useState(() => linesOfHash(location.hash))
  const mark = (range: LineRange): void => {
    setMarked(range)
    history.replaceState(history.state, '', location.pathname + location.search + hashOfLines(range))
  }
  return [marked, mark]
}

function Count({ pages }: { readonly pages: LogPages }) {
  const total = pages.total.value
  return (
    <span class="quiet">
      {total === undefined ? '' : `${total.toLocaleString('en')} ${total === 1 ? 'line' : 'lines'}`}
    </span>
  )
}

interface CopiesProps {
  readonly pages: LogPages
  readonly marked: LineRange | undefined
}

function Copies({ pages, marked }: CopiesProps) {
  if (marked === undefined) return null
  return (
    <>
      <CopyButton text={() => location.href}>Copy link</CopyButton>
      <CopyButton text={() => textOf(pages, marked)}>Copy lines</CopyButton>
    </>
  )
}

/** The text of the marked lines, as far as they are loaded. */
const textOf = (pages: LogPages, { first, last }: LineRange): string =>
  Array.from({ length: last - first + 1 }, (_, index) => pages.line(first + index) ?? '').join('\n')

interface NewLinesProps {
  readonly pages: LogPages
  readonly isFollowing: boolean
  readonly onGo: () => void
}

/** Leads to the lines written since following stopped. */
function NewLines({ pages, isFollowing, onGo }: NewLinesProps) {
  const total = pages.total.value ?? 0
  const [seen, setSeen] = useState(total)
  useEffect(() => {
    if (isFollowing || seen === 0) setSeen(total)
  }, [isFollowing, total])
  if (isFollowing || seen === 0 || total <= seen) return null
  const count = total - seen
  return (
    <div class="log-page-new">
      <Button
        isMain
        onPress={onGo}
      >{`↓ ${count.toLocaleString('en')} new line${count === 1 ? '' : 's'}`}</Button>
    </div>
  )
}

/** Loads the end of a log, and polls for new lines while the page is visible. */
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
