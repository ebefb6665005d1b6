import { useQuery } from '../../data/cache.ts'
import { changeKept, readKept } from '../../data/kept-preferences.ts'
import { useData } from '../../data/page-data.ts'
import { readViews, type SavedView, type ViewedList } from '../../model/saved-views.ts'

export type ChangeViews = (change: (views: readonly SavedView[]) => readonly SavedView[]) => Promise<void>

const keptKey = ['preferences']

/** The saved views of a list, and functions that change those of all lists. */
export function useViews(list: ViewedList): {
  readonly views: readonly SavedView[]
  readonly change: ChangeViews
} {
  const { ask, cache, session } = useData()
  const reader = { ask, isSignedIn: session.who.value.isSignedIn }
  const reading = useQuery(keptKey, () => readKept(reader))
  const views = readViews(reading.data ?? {}).filter((view) => view.list === list)
  return {
    views,
    change: async (change) => {
      const kept = await changeKept(reader, (before) => ({ ...before, views: change(readViews(before)) }))
      cache.setQueryData(keptKey, kept)
    },
  }
}
