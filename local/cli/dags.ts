import type { Schemas } from '#lib/client/api-types.gen.ts'
import type { Service } from './service.ts'

type ListedDag = Schemas['DagListItem']

const perPage = 1_000

/** All DAGs by name. */
export async function listDags(service: Service): Promise<ListedDag[]> {
  const dags: ListedDag[] = []
  let page: number | null = 1
  while (page !== null) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(service, page)
    dags.push(...answer.dags)
    page = answer.pagination.nextPage
  }
  return dags
}

const readPage = (service: Service, page: number) => service.ask('listDags', { query: { page, perPage } })
