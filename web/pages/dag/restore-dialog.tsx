import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { useData } from '../../data/page-data.ts'
import { useAction } from '../../data/use-action.ts'
import { Failure } from '../../parts/load-state/load-state.tsx'

interface Props {
  readonly fileName: string
  readonly version: number
  readonly onClose: () => void
}

/** Asks why a version is restored, and restores it. */
export function RestoreDialog({ fileName, version, onClose }: Props) {
  const { ask, links } = useData()
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
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
