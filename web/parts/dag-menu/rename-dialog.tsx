import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { moveDraft, readDraft } from '../../data/drafts.ts'
import { useData } from '../../data/page-data.ts'
import { useAction } from '../../data/use-action.ts'
import { Failure } from '../load-state/load-state.tsx'

interface Props {
  readonly fileName: string
  readonly onClose: () => void
}

/** Asks for a new name of a DAG. Unsaved changes are kept. */
export function RenameDialog({ fileName, onClose }: Props) {
  const { ask, links, session } = useData()
  const { path, route } = useLocation()
  const [text, setText] = useState(fileName)
  const { act, isPending, fault } = useAction(['dags'])
  const { name: user } = session.who.value
  const hasDraft = readDraft({ user, fileName }) !== undefined
  const next = text.trim()
  const rename = () =>
    act('It was not renamed', `${fileName} is called ${next} now`, async () => {
      await ask('renameDag', { params: { fileName }, body: { newFileName: next } })
      moveDraft(user, fileName, next)
      onClose()
      route(links.dag(next, path.endsWith('/spec') ? 'spec' : undefined), true)
    })
  return (
    <Dialog title={`Rename ${fileName}`} onClose={onClose}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending && next !== '' && next !== fileName) void rename()
        }}
      >
        <label class="dialog-field">
          New name
          <input
            value={text}
            required
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-describedby="rename-about"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <p id="rename-about" class="quiet">
          Steps that call {fileName} are not changed. Without <code>name</code> in its text, its runs until
          now stay under the old name.
        </p>
        {hasDraft && <p>What is not saved goes along as a draft.</p>}
        {fault !== undefined && <Failure {...fault} />}
        <div class="dialog-actions">
          <Button type="submit" isMain isPending={isPending} onPress={() => undefined}>
            Rename
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
