import { nextName, put, untilFinished } from './calls.ts'
import { percentile, type Figure } from './figures.ts'
import type { Service } from './service.ts'

const lineBytes = 80

const linesOf = (megabytes: number): number => Math.round((megabytes * 1e6) / lineBytes)

/** Runs a step `big` that prints this many megabytes. */
export async function makeLog(
  service: Service,
  megabytes: number,
): Promise<{ name: string; id: string; ms: number }> {
  const name = nextName('log')
  const text = `line %012.0f ${'-'.repeat(lineBytes - 19)}`
  await put(service, name, `steps:\n  - name: big\n    command: seq -f "${text}" 1 ${linesOf(megabytes)}\n`)
  const id = nextName('run')
  const begun = performance.now()
  await service.post(`/dags/${name}/start`, { dagRunId: id })
  if (!(await untilFinished(service, name, id, 10))) throw new Error(`run ${id} of ${name} failed`)
  return { name, id, ms: performance.now() - begun }
}

/** Time of a step that prints this many megabytes, and of reading parts of its log. */
export async function measureLog(service: Service, megabytes: number): Promise<Figure[]> {
  const lines = linesOf(megabytes)
  const { name, id, ms } = await makeLog(service, megabytes)
  const title = `log of ${megabytes} MB`
  const figures = [{ work: `${title}: the run that writes it`, unit: 'ms', value: ms }]
  const parts = {
    'tail=100': 'tail=100',
    'from the middle': `offset=${lines >> 1}&limit=100`,
    'from 95 % on': `offset=${Math.floor(lines * 0.95)}&limit=100`,
  }
  for (const [what, query] of Object.entries(parts)) {
    const times: number[] = []
    for (let round = 0; round < 20; round++) {
      const asked = performance.now()
      await service.read(`/dag-runs/${name}/${id}/steps/big/log?stream=stdout&${query}`)
      times.push(performance.now() - asked)
    }
    figures.push({ work: `${title}: ${what}, p50`, unit: 'ms', value: percentile(times, 0.5) })
  }
  return figures
}
