import { alone, dagText, nextName, put, together } from './calls.ts'
import type { Figure } from './figures.ts'
import type { Service } from './service.ts'
import { makeHistory } from './throughput.ts'

/** Throughput of reading lists with this many DAGs, and this many more runs. */
export async function measureReads(
  service: Service,
  { dags, runs, seconds }: { readonly dags: number; readonly runs: number; readonly seconds: number },
): Promise<Figure[]> {
  const run = await makeHistory(service, runs)
  const names = Array.from({ length: dags }, () => nextName('read'))
  await together(8, names, (name) => put(service, name, dagText(3, '"true"', alone)))
  const paths = {
    'GET /dags?perPage=50': '/dags?perPage=50',
    // The peer always lists at most its newest 1,000, and ignores the parameter.
    'GET /dag-runs?limit=1000': '/dag-runs?limit=1000',
    'GET /dag-runs?status=1 (none)': '/dag-runs?status=1',
    'GET /dag-runs/{name}/{id}': `/dag-runs/${run.name}/${run.id}`,
  }
  const figures: Figure[] = []
  for (const [title, path] of Object.entries(paths)) {
    for (const callers of [1, 10]) {
      let count = 0
      const begun = performance.now()
      const read = async (): Promise<void> => {
        for (; performance.now() - begun < seconds * 1000; count++) await service.read(path)
      }
      await Promise.all(Array.from({ length: callers }, read))
      const value = (count / (performance.now() - begun)) * 1000
      figures.push({ work: `${title}, ${callers} at once`, unit: '/s', value })
    }
  }
  return figures
}
