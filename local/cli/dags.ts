import type { Schemas } from '#lib/client/api-types.gen.ts'
import type { Service } from './service.ts'

type ListedDag = Schemas['DagListItem']

const perPage = 1_000

/** All DAGs by name, and the faults of files in the DAG folder. */
export async function listDagsAndFaults(
  service: Service,
): Promise<{ readonly dags: ListedDag[]; readonly faults: readonly string[] }> {
  const dags: ListedDag[] = []
  let faults: readonly string[] = []
  let page: number | null = 1
  while (page !== null) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(service, page)
    dags.push(...answer.dags)
    faults = answer.errors
    page = answer.pagination.nextPage
  }
  return { dags, faults }
}

/** All DAGs by name. */
export async function listDags(service: Service): Promise<ListedDag[]> {
  return (await listDagsAndFaults(service)).dags
}

const readPage = (service: Service, page: number) => service.ask('listDags', { query: { page, perPage } })
