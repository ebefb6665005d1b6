/** Which DAGs are shown, and how, as encoded in the URL. */
export interface DagView {
  readonly text: string
  readonly tab: string
  readonly sort: Column
  readonly isDown: boolean
  /** From 1. */
  readonly page: number
  /** A mosaic of all DAGs instead of rows. */
  readonly isGrid: boolean
}

export type Column = 'name' | 'state' | 'last' | 'duration' | 'next'

interface Counts {
  readonly total: number
  readonly suspended: number
  readonly withErrors: number
  readonly byState: Readonly<Record<string, number>>
}

interface Tab {
  readonly value: string
  readonly name: string
  readonly query: Readonly<Record<string, string>>
  readonly count: (counts: Counts) => number
}

const ofState = (value: string, name: string, ...states: readonly string[]): Tab => ({
  value,
  name,
  query: { state: states.join(',') },
  count: ({ byState }) => states.reduce((sum, state) => sum + (byState[state] ?? 0), 0),
})

export const tabs: readonly Tab[] = [
  { value: '', name: 'All', query: {}, count: ({ total }) => total },
  ofState('failed', 'Failed', 'failed', 'partial_success'),
  ofState('running', 'Running', 'running', 'not_started'),
  ofState('queued', 'Queued', 'queued'),
  ofState('success', 'Succeeded', 'success'),
  ofState('cancelled', 'Cancelled', 'cancelled'),
  ofState('never', 'Never ran', 'never'),
  {
    value: 'suspended',
    name: 'Suspended',
    query: { suspended: 'true' },
    count: ({ suspended }) => suspended,
  },
  { value: 'faults', name: 'With faults', query: { errors: 'true' }, count: ({ withErrors }) => withErrors },
]

/** Whether the first press sorts a column descending: newest and longest first. */
const firstDown: Readonly<Record<Column, boolean>> = {
  name: false,
  state: false,
  last: true,
  duration: true,
  next: false,
}

const isColumn = (text: string): text is Column => Object.hasOwn(firstDown, text)

export function readDagView(query: Readonly<Record<string, string>>): DagView {
  const sort = query['sort'] ?? ''
  const column = sort.replace(/^-/, '')
  const page = query['page'] ?? ''
  return {
    text: query['q'] ?? '',
    tab: tabs.some(({ value }) => value === query['tab']) ? (query['tab'] ?? '') : '',
    sort: isColumn(column) ? column : 'name',
    isDown: isColumn(column) && sort.startsWith('-'),
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    isGrid: query['view'] === 'grid',
  }
}

/** The query of an address; default values are omitted. */
export function writeDagView({ text, tab, sort, isDown, page, isGrid }: DagView): Record<string, string> {
  const sorted = `${isDown ? '-' : ''}${sort}`
  return {
    ...(text !== '' && { q: text }),
    ...(tab !== '' && { tab }),
    ...(sorted !== 'name' && { sort: sorted }),
    ...(page > 1 && { page: String(page) }),
    ...(isGrid && { view: 'grid' }),
  }
}

/** The view after a press on the head of a column. */
export function sortBy(view: DagView, sort: Column): DagView {
  const isDown = view.sort === sort ? !view.isDown : firstDown[sort]
  return { ...view, sort, isDown, page: 1 }
}

/** The parameters of the query, except for the page. */
export const dagQuery = (view: DagView) => ({
  sort: view.sort,
  order: view.isDown ? ('desc' as const) : ('asc' as const),
  ...dagChoice(view),
})

/** Parses the filter of DAGs: `tag:x` and `group:x` are filters, all else is words. */
export function dagChoice({ text, tab }: Pick<DagView, 'text' | 'tab'>) {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const valueOf = (key: string): string | undefined =>
    words.find((word) => word.startsWith(key) && word !== key)?.slice(key.length)
  const [tag, group] = [valueOf('tag:'), valueOf('group:')]
  const plain = words.filter((word) => !/^(tag|group):./.test(word))
  return {
    ...tabs.find(({ value }) => value === tab)?.query,
    ...(tag !== undefined && { tag }),
    ...(group !== undefined && { group }),
    ...(plain.length > 0 && { q: plain.join(' ') }),
  }
}

/** Median duration of the finished runs; undefined if there are none. */
export function typicalMs(durations: readonly (number | undefined)[]): number | undefined {
  const known = durations.filter((ms) => ms !== undefined).toSorted((a, b) => a - b)
  return known[Math.ceil(known.length / 2) - 1]
}
