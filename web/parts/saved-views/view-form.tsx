import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { viewNameLengthMax } from '../../model/saved-views.ts'

interface Props {
  /** The view to rename; undefined to save the current one. */
  readonly renamed: string | undefined
  /** The maximum number of views is reached. */
  readonly isFull: boolean
  readonly onSave: (name: string) => void
  readonly onClose: () => void
}

/** Asks for the name of a view. */
export function ViewForm({ renamed, isFull, onSave, onClose }: Props) {
  const [name, setName] = useState(renamed ?? '')
  const isRefused = isFull && renamed === undefined
  return (
    <form
      class="saved-views-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '' && !isRefused) onSave(name.trim())
      }}
    >
      <label class="saved-views-field">
        {renamed === undefined ? 'Name' : `New name of ${renamed}`}
        <input
          class="saved-views-value"
          maxLength={viewNameLengthMax}
          required
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <div class="saved-views-buttons">
        <Button
          type="submit"
          isMain
          refusal={isRefused ? 'no more views can be saved: delete one first' : undefined}
          onPress={() => undefined}
        >
          {renamed === undefined ? 'Save the current view' : 'Rename'}
        </Button>
        <Button onPress={onClose}>Close</Button>
      </div>
    </form>
  )
}
