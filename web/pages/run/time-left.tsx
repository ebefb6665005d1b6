import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import type { RunOutline } from '../../data/run-calls.ts'
import { timeLeft } from '../../model/eta.ts'
import { runState } from '../../model/states.ts'

interface Props {
  readonly run: RunOutline
  readonly startedAt: number | undefined
}

/** Estimated remaining time of an active run, by the latest runs of its DAG. */
export function TimeLeft({ run, startedAt }: Props) {
  const { ask, now } = useData()
  const fileName = run.fileName ?? run.name
  const isRunning = runState(run.status) === 'running' && startedAt !== undefined
  const stats = useQuery(
    ['dag', fileName, 'stats'],
    () => ask('getDagStats', { params: { fileName } }),
    false,
    isRunning,
  ).data
  if (!isRunning || stats === undefined) return null
  const left = timeLeft(stats, now.value - startedAt)
  return left === undefined ? null : <span class="quiet"> {left}</span>
}
