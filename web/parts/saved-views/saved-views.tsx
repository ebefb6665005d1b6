import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { useData } from '../../data/page-data.ts'
import { withQuery } from '../../model/links.ts'
import { shows, type ViewedList } from '../../model/saved-views.ts'
import { useViews } from './use-views.ts'
import { ViewsDialog } from './views-dialog.tsx'

/** The views of a list that somebody has saved, and a way to save what is shown. */
export function SavedViews({ list }: { readonly list: ViewedList }) {
  const { links } = useData()
  const { query } = useLocation()
  const { views, change } = useViews(list)
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="saved-views">
      {views.length > 0 && (
        <nav class="saved-views-links" aria-label="Saved views">
          {views.map((view) => (
            <a
              key={view.name}
              class="saved-views-link"
              href={withQuery(links[list], view.query)}
              {...(shows(query, view) && { 'aria-current': 'page' as const })}
            >
              {view.name}
            </a>
          ))}
        </nav>
      )}
      <Button onPress={() => setOpen(true)}>Views…</Button>
      {isOpen && (
        <ViewsDialog list={list} views={views} query={query} change={change} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}
