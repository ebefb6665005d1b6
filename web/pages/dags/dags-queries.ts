import type { Answer, Arguments } from '#lib/client/client.ts'
import { usePages, useQuery, type Pages } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { patchRows } from '../../model/patch-rows.ts'
import type { DagItem, DagsAnswer } from './dag-item.ts'

type Counts = Extract<Answer<'countDags'>, { status: 200 }>['body']

const countsMs = 10_000

/** A list of one page: what was read stays until the next view has arrived. */
export function useDags(
  asked: NonNullable<NonNullable<Arguments<'listDags'>[0]>['query']>,
): Pages<DagsAnswer> {
  const { ask } = useData()
  return usePages(
    ['dags', asked],
    () => ask('listDags', { query: asked }),
    (): number | undefined => undefined,
    { topic: 'dags', query: asked, patch: withDag },
  )
}

/** The pages updated for one DAG. */
function withDag(pages: readonly DagsAnswer[], news: unknown): readonly DagsAnswer[] {
  const keyOf = ({ fileName }: DagItem): string => fileName
  const rows = patchRows(
    pages.map(({ dags }) => dags),
    news as DagItem,
    { keyOf, isNewestFirst: false },
  )
  return pages.map((page, index) => ({ ...page, dags: [...(rows[index] ?? [])] }))
}

/** How many DAGs there are of each state. */
export function useDagCounts(): Counts | undefined {
  const { ask } = useData()
  const following = {
    topic: 'overview',
    query: {},
    patch: (_: Counts, news: unknown) => news as Counts,
  } as const
  return useQuery(['dags', 'counts'], () => ask('countDags'), countsMs, true, following).data
}
