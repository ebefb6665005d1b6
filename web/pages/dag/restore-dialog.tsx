import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { keepDraft } from '../../data/drafts.ts'
import { useData } from '../../data/page-data.ts'
import { useAction } from '../../data/use-action.ts'
import { Failure } from '../../parts/load-state/load-state.tsx'

interface Props {
  readonly fileName: string
  readonly version: number
  /** Of a DAG that is there: its text can be changed before it is saved. */
  readonly isStored: boolean
  readonly onClose: () => void
}

/** Asks why a version is restored, and restores it. */
export function RestoreDialog({ fileName, version, isStored, onClose }: Props) {
  const { ask, links, session } = useData()
  const { route } = useLocation()
  const [message, setMessage] = useState('')
  const { act, isPending, fault } = useAction(['dag', fileName])
  const restore = () =>
    act('It was not restored', `version ${version} was restored`, async () => {
      const said = message.trim()
      await ask('restoreDagVersion', {
        params: { fileName, version },
        body: said === '' ? {} : { message: said },
      })
      onClose()
      route(links.dag(fileName, 'versions'), true)
    })
  const edit = () =>
    act('It was not opened', `version ${version} is in the editor`, async () => {
      const { spec } = await ask('getDagVersion', { params: { fileName, version } })
      const isKept = keepDraft({ user: session.who.value.name, fileName }, { text: spec, atMs: Date.now() })
      if (!isKept) throw new Error('this browser keeps no drafts')
      route(links.dag(fileName, 'spec'))
    })
  return (
    <Dialog title={`Restore version ${version}`} onClose={onClose}>
      <form
        class="restore-dialog"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending) void restore()
        }}
      >
        <p>
          The text of version {version} becomes the newest version, which you can take back in the same way.
        </p>
        <label class="restore-dialog-field">
          Message
          <input
            value={message}
            maxLength={500}
            placeholder="Why, for those who look here later"
            autocomplete="off"
            onInput={(event) => setMessage(event.currentTarget.value)}
          />
        </label>
        {fault !== undefined && <Failure error={fault.error} what={fault.what} />}
        <div class="restore-dialog-actions">
          <Button type="submit" isMain isPending={isPending} onPress={() => undefined}>
            Restore
          </Button>
          {isStored && <Button onPress={() => void edit()}>Open as a draft</Button>}
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
