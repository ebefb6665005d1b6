import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { readDraft } from '../../data/drafts.ts'
import { useData } from '../../data/page-data.ts'
import { useAction } from '../../data/use-action.ts'
import { Failure } from '../load-state/load-state.tsx'

interface Props {
  readonly fileName: string
  readonly onClose: () => void
}

/** Asks whether to delete a DAG. A draft of it stays in the browser. */
export function DeleteDialog({ fileName, onClose }: Props) {
  const { ask, cache, links, session } = useData()
  const { route } = useLocation()
  const { act, isPending, fault } = useAction(['dags'])
  const hasDraft = readDraft({ user: session.who.value.name, fileName }) !== undefined
  const remove = () =>
    act('It was not deleted', `${fileName} was deleted`, async () => {
      await ask('deleteDag', { params: { fileName } })
      cache.removeQueries({ queryKey: ['dag', fileName] })
      onClose()
      route(links.dags)
    })
  return (
    <Dialog title={`Delete ${fileName}`} onClose={onClose}>
      <div class="dialog-form">
        <p>
          Nothing starts it any more. Runs that go on are not stopped, and its runs stay in the history. For
          30 days, its address lists its versions; restoring one brings it back.
        </p>
        {hasDraft && (
          <p>What is not saved stays in this browser, and is offered when the DAG is brought back.</p>
        )}
        {fault !== undefined && <Failure {...fault} />}
        <div class="dialog-actions">
          <Button isMain isPending={isPending} onPress={() => void remove()}>
            Delete
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}
