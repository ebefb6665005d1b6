import { Dialog } from '../../controls/dialog/dialog.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../load-state/load-state.tsx'
import { StartForm } from './start-form.tsx'

interface Props {
  readonly fileName: string
  /** Params of an earlier run, to start with. */
  readonly given?: string
  readonly onClose: () => void
}

/** Asks for the params of a run, and starts it. */
export function StartDialog({ fileName, given = '', onClose }: Props) {
  const { ask } = useData()
  const reading = useQuery(['dag', fileName], () => ask('getDag', { params: { fileName } }))
  return (
    <Dialog title={`Start ${fileName}`} onClose={onClose}>
      <Loaded reading={reading} what={fileName} rows={2}>
        {(answer) => <StartForm fileName={fileName} answer={answer} given={given} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}
