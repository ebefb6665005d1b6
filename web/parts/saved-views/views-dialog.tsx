import { useState } from 'preact/hooks'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { useData } from '../../data/page-data.ts'
import {
  renamedView,
  viewQuery,
  viewsMax,
  withoutView,
  withView,
  type SavedView,
  type ViewedList,
} from '../../model/saved-views.ts'
import { Failure } from '../load-state/load-state.tsx'
import type { ChangeViews } from './use-views.ts'
import { ViewForm } from './view-form.tsx'
import { ViewList } from './view-list.tsx'

interface Props {
  readonly list: ViewedList
  readonly views: readonly SavedView[]
  /** The query of the current view. */
  readonly query: Readonly<Record<string, string>>
  readonly change: ChangeViews
  readonly onClose: () => void
}

/** Saves what is shown under a name, and renames and deletes saved views. */
export function ViewsDialog({ list, views, query, change, onClose }: Props) {
  const { said } = useData()
  const [renaming, setRenaming] = useState<SavedView>()
  const [error, setError] = useState<Error>()

  async function act(done: string, next: Parameters<ChangeViews>[0]): Promise<void> {
    setError(undefined)
    try {
      await change(next)
      said.value = done
      setRenaming(undefined)
    } catch (thrown) {
      setError(thrown as Error)
    }
  }
  const save = (name: string): Promise<void> =>
    renaming === undefined
      ? act(`The view ${name} was saved`, (all) => withView(all, { list, name, query: viewQuery(query) }))
      : act(`The view was renamed to ${name}`, (all) => renamedView(all, renaming, name))
  return (
    <Dialog title="Saved views" onClose={onClose}>
      {views.length === 0 && (
        <p class="quiet">A view saves the filters and the sorting of this list under a name.</p>
      )}
      <ViewList
        views={views}
        onRename={setRenaming}
        onDelete={(view) => void act(`The view ${view.name} was deleted`, (all) => withoutView(all, view))}
      />
      <ViewForm
        key={`${renaming?.name ?? ''} ${views.length}`}
        renamed={renaming?.name}
        isFull={views.length >= viewsMax}
        onSave={(name) => void save(name)}
        onClose={onClose}
      />
      {error !== undefined && <Failure error={error} what="The views were not changed" />}
    </Dialog>
  )
}
