import { Button } from '../../controls/button/button.tsx'
import type { SavedView } from '../../model/saved-views.ts'

interface Props {
  readonly views: readonly SavedView[]
  readonly onRename: (view: SavedView) => void
  readonly onDelete: (view: SavedView) => void
}

export function ViewList({ views, onRename, onDelete }: Props) {
  if (views.length === 0) return null
  return (
    <ul class="saved-views-list" aria-label="Views">
      {views.map((view) => (
        <li key={view.name} class="saved-views-view">
          <span class="saved-views-name">{view.name}</span>
          <Button onPress={() => onRename(view)}>Rename</Button>
          <Button onPress={() => onDelete(view)}>Delete</Button>
        </li>
      ))}
    </ul>
  )
}
