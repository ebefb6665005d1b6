/** Filters of a list, saved under a name. */
export interface SavedView {
  readonly list: ViewedList
  readonly name: string
  /** Of the address. */
  readonly query: Readonly<Record<string, string>>
}

export type ViewedList = 'dags' | 'runs'

export const viewNameLengthMax = 60
/** Of a list: all of them are in one row. */
export const viewsMax = 30

/** The saved views in the preferences of a user; invalid ones are ignored. */
export function readViews(preferences: Readonly<Record<string, unknown>>): readonly SavedView[] {
  const views = preferences['views']
  return Array.isArray(views) ? views.filter(isView) : []
}

function isView(view: unknown): view is SavedView {
  const { list, name, query } = Object(view) as Partial<Record<keyof SavedView, unknown>>
  const values = typeof query === 'object' && query !== null ? Object.values(query) : [undefined]
  return (
    (list === 'dags' || list === 'runs') &&
    typeof name === 'string' &&
    name !== '' &&
    values.every((value) => typeof value === 'string')
  )
}

const isSame = (one: SavedView, { list, name }: Pick<SavedView, 'list' | 'name'>): boolean =>
  one.list === list && one.name === name

/** Adds a view, or replaces the one with its name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const isNew = !views.some((one) => isSame(one, view))
  return isNew ? [...views, view] : views.map((one) => (isSame(one, view) ? view : one))
}

export const withoutView = (
  views: readonly SavedView[],
  view: Pick<SavedView, 'list' | 'name'>,
): readonly SavedView[] => views.filter((one) => !isSame(one, view))

/** Renames a view in place, replacing a view that has the name. */
export function renamedView(
  views: readonly SavedView[],
  view: SavedView,
  name: string,
): readonly SavedView[] {
  const others = name === view.name ? views : withoutView(views, { list: view.list, name })
  return others.map((one) => (isSame(one, view) ? { ...one, name } : one))
}

/** The part of an address that a view keeps: the page of a list is not part of it. */
export function viewQuery(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { page: _page, ...kept } = query
  return kept
}

/** Whether an address shows a view. */
export function shows(query: Readonly<Record<string, string>>, view: SavedView): boolean {
  const text = (one: Readonly<Record<string, string>>): string =>
    JSON.stringify(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return text(viewQuery(query)) === text(view.query)
}
