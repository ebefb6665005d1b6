import { createBulk } from '../../data/send-bulk.ts'
import { useData } from '../../data/page-data.ts'
import { useRunRefusal } from '../../data/refusal.ts'
import { counted } from '../../model/selection.ts'
import { hasEnded, runState, type State } from '../../model/states.ts'
import type { BulkAction } from '../bulk-bar/bulk-action.ts'
import { BulkBar } from '../bulk-bar/bulk-bar.tsx'
import { useSelection } from '../bulk-bar/use-selection.ts'
import { RunTable, type RunItem } from '../run-table/run-table.tsx'

interface Props {
  readonly runs: readonly RunItem[]
  readonly hasDag: boolean
}

const keyOf = ({ name, dagRunId }: RunItem): string => `${name}/${dagRunId}`

/** Which runs each action applies to. */
const kinds: readonly {
  readonly action: 'stop' | 'retry' | 'dequeue'
  readonly name: string
  readonly done: string
  readonly isFor: (state: State) => boolean
}[] = [
  { action: 'stop', name: 'Stop', done: 'stopped', isFor: (state) => !hasEnded(state) },
  {
    action: 'retry',
    name: 'Retry',
    done: 'retried',
    isFor: (state) => hasEnded(state) && state !== 'success',
  },
  { action: 'dequeue', name: 'Dequeue', done: 'dequeued', isFor: (state) => state === 'queued' },
]

/** Runs as selectable rows, with actions on the selected ones. */
export function RunBulk({ runs, hasDag }: Props) {
  const { ask, links } = useData()
  const refusal = useRunRefusal()
  const { selecting, selected, clear } = useSelection(runs.map(keyOf))
  const chosen = runs.filter((run) => selected.has(keyOf(run)))
  const actions = kinds.map(({ action, name, done, isFor }): BulkAction => {
    const these = chosen.filter(({ status }) => isFor(runState(status)))
    const bulk = createBulk(ask)
    return {
      name,
      done,
      count: these.length,
      what: `${name} ${whatOf(these)}`,
      send: async () =>
        (await bulk.runs({ action, runs: these.map(({ name, dagRunId }) => ({ name, dagRunId })) })).map(
          (result) => ({
            name: `${result.name} ${result.dagRunId}`,
            href: links.run(result.name, result.dagRunId),
            ...(result.message !== undefined && { message: result.message }),
          }),
        ),
    }
  })
  const [newer, older] = chosen
  return (
    <>
      <RunTable name="Runs" runs={runs} hasDag={hasDag} selecting={selecting} />
      <BulkBar noun="run" count={chosen.length} actions={actions} refusal={refusal} onClear={clear}>
        {newer !== undefined && older !== undefined && chosen.length === 2 && (
          <a class="run-bulk-compare" href={links.compare(keyOf(older), keyOf(newer))}>
            Compare
          </a>
        )}
      </BulkBar>
    </>
  )
}

/** `14 runs of 3 DAGs` */
function whatOf(runs: readonly RunItem[]): string {
  const dags = [...new Set(runs.map(({ name }) => name))]
  return `${counted(runs.length, 'run')} of ${dags.length === 1 ? dags[0] : counted(dags.length, 'DAG')}`
}
