import { Dialog } from '../../controls/dialog/dialog.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../load-state/load-state.tsx'
import { StartDialog } from './start-dialog.tsx'

interface Props {
  readonly fileName: string
  readonly given: string
  readonly onClose: () => void
}

/** Starts a DAG of which only the name is at hand. */
export function StartRun({ fileName, given, onClose }: Props) {
  const { ask } = useData()
  const reading = useQuery(['dag', fileName], () => ask('getDag', { params: { fileName } }))
  if (reading.data !== undefined) {
    return <StartDialog fileName={fileName} dag={reading.data.dag} given={given} onClose={onClose} />
  }
  return (
    <Dialog title={`Start ${fileName}`} onClose={onClose}>
      <Loaded reading={reading} what={fileName} rows={2}>
        {() => null}
      </Loaded>
    </Dialog>
  )
}
