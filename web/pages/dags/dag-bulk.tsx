import { createBulk } from '../../data/send-bulk.ts'
import { useData } from '../../data/page-data.ts'
import { useRunRefusal } from '../../data/refusal.ts'
import { counted } from '../../model/selection.ts'
import type { BulkAction } from '../../parts/bulk-bar/bulk-action.ts'
import { BulkBar } from '../../parts/bulk-bar/bulk-bar.tsx'
import type { DagItem } from './dag-item.ts'

interface Props {
  readonly dags: readonly DagItem[]
  readonly onClear: () => void
}

const kinds = [
  { action: 'start', name: 'Start', done: 'started', isFor: () => true },
  { action: 'enqueue', name: 'Enqueue', done: 'enqueued', isFor: () => true },
  { action: 'suspend', name: 'Suspend', done: 'suspended', isFor: (dag: DagItem) => !dag.suspended },
  { action: 'resume', name: 'Resume', done: 'resumed', isFor: (dag: DagItem) => dag.suspended },
] as const

/** The actions on the selected DAGs. Runs are started with default params. */
export function DagBulk({ dags, onClear }: Props) {
  const { ask, links } = useData()
  const refusal = useRunRefusal()
  const actions = kinds.map(({ action, name, done, isFor }): BulkAction => {
    const files = dags.filter(isFor).map(({ fileName }) => fileName)
    const bulk = createBulk(ask)
    return {
      name,
      done,
      count: files.length,
      what: `${name} ${counted(files.length, 'DAG')}`,
      send: async () =>
        (await bulk.dags({ action, files })).map(({ fileName, dagRunId, message }) => ({
          name: fileName,
          href: dagRunId === undefined ? links.dag(fileName) : links.run(nameOf(fileName), dagRunId),
          ...(message !== undefined && { message }),
        })),
    }
  })
  /** Runs are found by the name that the text gives the DAG. */
  const nameOf = (fileName: string): string =>
    dags.find((dag) => dag.fileName === fileName)?.dag.name ?? fileName
  return <BulkBar noun="DAG" count={dags.length} actions={actions} refusal={refusal} onClear={onClear} />
}
