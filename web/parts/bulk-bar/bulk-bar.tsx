import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { counted } from '../../model/selection.ts'
import type { BulkAction } from './bulk-action.ts'
import { BulkDialog } from './bulk-dialog.tsx'

interface Props {
  readonly noun: string
  readonly count: number
  readonly actions: readonly BulkAction[]
  readonly refusal: string | undefined
  readonly onClear: () => void
  readonly children?: ComponentChildren
}

/** What can be done to all selected rows. Each action says to how many of them it applies. */
export function BulkBar({ noun, count, actions, refusal, onClear, children }: Props) {
  const [asked, setAsked] = useState<BulkAction>()
  if (count === 0 && asked === undefined) return null
  return (
    <div class="bulk-bar" role="region" aria-label="Selection">
      <b role="status">{counted(count, noun)} selected</b>
      {actions.map((action) => (
        <Button
          key={action.name}
          refusal={refusal ?? (action.count === 0 ? `none of the selected can be ${action.done}` : undefined)}
          onPress={() => setAsked(action)}
        >
          {action.name} {action.count}
        </Button>
      ))}
      {children}
      <span class="bulk-bar-space" />
      <Button onPress={onClear}>Clear selection</Button>
      {asked !== undefined && (
        <BulkDialog
          action={asked}
          onClose={(isDone) => {
            setAsked(undefined)
            if (isDone) onClear()
          }}
        />
      )}
    </div>
  )
}
