import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { CallFailure } from '../../data/call.ts'
import { keepDraft, readDraft } from '../../data/drafts.ts'
import { useData } from '../../data/page-data.ts'
import { useAction } from '../../data/use-action.ts'
import { choiceQuery } from '../../model/version-choice.ts'
import { Failure } from '../../parts/load-state/load-state.tsx'

interface Props {
  readonly fileName: string
  readonly version: number
  /** The newest version; undefined: the DAG is deleted. */
  readonly newest: number | undefined
  readonly onClose: () => void
}

/** Asks why a version is restored, and restores it. */
export function RestoreDialog(props: Props) {
  const { fileName, version, newest, onClose } = props
  const { links } = useData()
  const [message, setMessage] = useState('')
  const { restore, edit, isPending, fault, seen, isOvertaken, hasDraft } = useRestoring(props)
  return (
    <Dialog title={`Restore version ${version}`} onClose={onClose}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending) void restore(message.trim())
        }}
      >
        <p>
          The text of version {version} becomes the newest version, which you can take back in the same way.
        </p>
        <label class="dialog-field">
          Message
          <input
            value={message}
            maxLength={500}
            placeholder="Why, for those who look here later"
            autocomplete="off"
            onInput={(event) => setMessage(event.currentTarget.value)}
          />
        </label>
        {newest !== undefined && hasDraft && (
          <p>To open it as a draft replaces the one that this browser keeps.</p>
        )}
        {isOvertaken && newest !== undefined && (
          <Overtaken
            newest={newest}
            href={links.versions(fileName, choiceQuery({ from: seen, to: newest }))}
            onClose={onClose}
          />
        )}
        {fault !== undefined && !isOvertaken && <Failure {...fault} />}
        <div class="dialog-actions">
          <Button type="submit" isMain isPending={isPending} onPress={() => undefined}>
            {isOvertaken ? 'Restore anyway' : 'Restore'}
          </Button>
          {newest !== undefined && <Button onPress={() => void edit()}>Open as a draft</Button>}
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}

function useRestoring({ fileName, version, newest, onClose }: Props) {
  const { ask, links, session } = useData()
  const { route } = useLocation()
  const { act, isPending, fault } = useAction(['dag', fileName])
  const [seen] = useState(newest)
  const isOvertaken = fault?.error instanceof CallFailure && fault.error.status === 412
  /** The version that the user knows to replace. A later one counts only after the user has been told of it. */
  const replaced = isOvertaken ? newest : seen
  const draft = { user: session.who.value.name, fileName }
  return {
    isPending,
    fault,
    seen,
    isOvertaken,
    hasDraft: readDraft(draft) !== undefined,
    restore: (message: string) =>
      act('It was not restored', `version ${version} was restored`, async () => {
        await ask('restoreDagVersion', {
          params: { fileName, version },
          ...(replaced !== undefined && { headers: { 'If-Match': `"${replaced}"` } }),
          body: message === '' ? {} : { message },
        })
        onClose()
        route(links.dag(fileName, 'versions'), true)
      }),
    edit: () =>
      act('It was not opened', `version ${version} is in the editor`, async () => {
        const { spec } = await ask('getDagVersion', { params: { fileName, version } })
        if (!keepDraft(draft, { text: spec, atMs: Date.now() }))
          throw new Error('this browser keeps no drafts')
        route(links.dag(fileName, 'spec'))
      }),
  }
}

interface OvertakenProps {
  readonly newest: number
  /** What it has changed. */
  readonly href: string
  readonly onClose: () => void
}

function Overtaken({ newest, href, onClose }: OvertakenProps) {
  return (
    <p role="alert">
      It was not restored: <b>version {newest} was saved meanwhile.</b>{' '}
      <a href={href} onClick={onClose}>
        See its changes
      </a>
      , or replace it, too.
    </p>
  )
}
