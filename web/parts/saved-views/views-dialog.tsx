import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { useData } from '../../data/page-data.ts'
import {
  renamedView,
  viewNameLengthMax,
  viewQuery,
  viewsMax,
  withoutView,
  withView,
  type SavedView,
  type ViewedList,
} from '../../model/saved-views.ts'
import { Failure } from '../load-state/load-state.tsx'
import type { ChangeViews } from './use-views.ts'

interface Props {
  readonly list: ViewedList
  readonly views: readonly SavedView[]
  /** Of the address: what is shown now. */
  readonly query: Readonly<Record<string, string>>
  readonly change: ChangeViews
  readonly onClose: () => void
}

/** Saves what is shown under a name, and renames and deletes saved views. */
export function ViewsDialog({ list, views, query, change, onClose }: Props) {
  const { said } = useData()
  const [name, setName] = useState('')
  const [renaming, setRenaming] = useState<SavedView>()
  const [error, setError] = useState<Error>()
  const isFull =
    renaming === undefined && views.length >= viewsMax && !views.some((view) => view.name === name)

  async function act(done: string, next: Parameters<ChangeViews>[0]): Promise<void> {
    setError(undefined)
    try {
      await change(next)
      said.value = done
      setName('')
      setRenaming(undefined)
    } catch (thrown) {
      setError(thrown as Error)
    }
  }
  async function submit(): Promise<void> {
    const given = name.trim()
    if (given === '') return
    if (renaming === undefined) {
      await act(`The view ${given} was saved`, (all) =>
        withView(all, { list, name: given, query: viewQuery(query) }),
      )
    } else await act(`The view is called ${given} now`, (all) => renamedView(all, renaming, given))
  }
  return (
    <Dialog title="Saved views" onClose={onClose}>
      {views.length === 0 && (
        <p class="quiet">A view keeps the filters and the order of this list under a name.</p>
      )}
      <ul class="saved-views-list" aria-label="Views">
        {views.map((view) => (
          <li key={view.name} class="saved-views-view">
            <span class="saved-views-name">{view.name}</span>
            <Button
              onPress={() => {
                setRenaming(view)
                setName(view.name)
              }}
            >
              Rename
            </Button>
            <Button
              onPress={() => void act(`The view ${view.name} was deleted`, (all) => withoutView(all, view))}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <form
        class="saved-views-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <label class="saved-views-field">
          {renaming === undefined ? 'Name' : `New name of ${renaming.name}`}
          <input
            class="saved-views-value"
            maxLength={viewNameLengthMax}
            required
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        {error !== undefined && <Failure error={error} what="The views were not changed" />}
        <div class="saved-views-buttons">
          <Button
            type="submit"
            isMain
            refusal={isFull ? `there are ${viewsMax} views already` : undefined}
            onPress={() => undefined}
          >
            {renaming === undefined ? 'Save what is shown' : 'Rename'}
          </Button>
          <Button onPress={onClose}>Close</Button>
        </div>
      </form>
    </Dialog>
  )
}
