import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../../controls/notice/notice.tsx'
import { Switch } from '../../controls/switch/switch.tsx'
import { useData } from '../../data/page-data.ts'
import { callsAbout } from '../../data/run-calls.ts'
import type { RunAddress } from '../../model/links.ts'
import { appended, readMerged, type MergedLine } from '../../model/merged-lines.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { Failure, Loading } from '../../parts/load-state/load-state.tsx'
import { MergedView } from '../../parts/merged-view/merged-view.tsx'
import { LogHead } from './log-head.tsx'
import { StepChoice } from './step-choice.tsx'
import { StreamChoice } from './stream-choice.tsx'

/** Lines that are read at first, from the end. */
const tail = 5_000
/** Polling interval for new lines, milliseconds. */
const followMs = 2_000

interface Props {
  readonly address: RunAddress
  readonly steps: readonly StepRow[]
  /** Only what this step wrote; undefined: all steps. */
  readonly row: StepRow | undefined
  readonly isOver: boolean
}

/** What steps wrote, in chronological order. */
export function MergedLog({ address, steps, row, isOver }: Props) {
  const [isFollowing, setFollowing] = useState(true)
  const { lines, error, again } = useMergedLines(address, row?.name, isOver)
  return (
    <div class="log-page">
      <LogHead address={address} title={row?.name ?? 'All steps'} />
      <div class="log-page-tools">
        <StepChoice address={address} steps={steps} chosen={row?.name} />
        {row !== undefined && <StreamChoice address={address} step={row.name} chosen="both" />}
        <Switch name="Follow" isOn={isFollowing} onChange={setFollowing} isLabelled />
        {lines !== undefined && (
          <span class="quiet">
            {lines.length < tail ? '' : 'the last '}
            {lines.length.toLocaleString('en')} lines
          </span>
        )}
      </div>
      {error !== undefined && <Failure error={error} what="Cannot read the log" again={again} />}
      {lines === undefined && error === undefined && <Loading rows={10} />}
      {lines?.length === 0 && (
        <Notice title={isOver ? 'Nothing was written here' : 'Nothing was written here yet'} />
      )}
      {lines !== undefined && lines.length > 0 && (
        <div class="log-page-log">
          <MergedView run={address} lines={lines} isFollowing={isFollowing} onScrolled={setFollowing} />
        </div>
      )}
    </div>
  )
}

interface MergedLines {
  /** Undefined until the first answer. */
  readonly lines: readonly MergedLine[] | undefined
  readonly error: Error | undefined
  readonly again: () => void
}

/** Loads the end, and polls for new lines while the page is visible. */
function useMergedLines(address: RunAddress, step: string | undefined, isOver: boolean): MergedLines {
  const { ask } = useData()
  const [lines, setLines] = useState<readonly MergedLine[]>()
  const [error, setError] = useState<Error>()
  const [turn, setTurn] = useState(0)
  const next = useRef<string | undefined>(undefined)

  useEffect(() => {
    let isGone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const lookLater = (ms: number): void => {
      if (!isGone) timer = setTimeout(() => (document.hidden ? lookLater(followMs) : void look()), ms)
    }
    async function look(): Promise<void> {
      const from = next.current
      const where = from === undefined ? { tail } : { from, limit: tail }
      try {
        const text = await callsAbout(ask, address).mergedLog({
          ...where,
          ...(step !== undefined && { step }),
        })
        if (isGone) return
        const answer = readMerged(text)
        next.current = answer.next ?? from
        setLines((before = []) => appended(before, answer.lines))
        setError(undefined)
        if (!isOver || !answer.isDone) lookLater(answer.isDone ? followMs : 0)
      } catch (thrown) {
        if (!isGone) setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
      }
    }
    void look()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [turn, isOver])
  return { lines, error, again: () => setTurn(turn + 1) }
}
