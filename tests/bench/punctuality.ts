import { setTimeout as sleep } from 'node:timers/promises'
import { nextName, printedAt, put, together } from './calls.ts'
import { percentile, type Figure } from './figures.ts'
import type { Service } from './service.ts'

const minuteMs = 60_000
/** Time after the full minute for the last run to end. */
const settleMs = 25_000

/** Delay of the first process of a run when this many DAGs are due in the same minute. */
export async function measurePunctuality(service: Service, dags: number): Promise<Figure[]> {
  // Creates the DAGs well before the minute, so that creating them is not measured.
  if (minuteMs - (Date.now() % minuteMs) < 20_000) await sleep(minuteMs - (Date.now() % minuteMs))
  const names = Array.from({ length: dags }, () => nextName('cron'))
  const spec = 'schedule: "* * * * *"\nsteps:\n  - name: a\n    command: date +%s%N\n'
  await together(8, names, (name) => put(service, name, spec))
  const due = Math.ceil(Date.now() / minuteMs) * minuteMs
  await sleep(due + settleMs - Date.now())
  await together(
    8,
    names,
    async (name) => void (await service.post(`/dags/${name}/suspend`, { suspend: true })),
  )
  const late: number[] = []
  await together(4, names, async (name) => {
    const { body } = await service.get(`/dag-runs/${name}`)
    for (const run of (body as { dagRuns: { dagRunId: string }[] }).dagRuns) {
      const executed = await printedAt(service, { name, id: run.dagRunId, step: 'a' })
      if (executed === undefined) console.log(`${service.name}: a run that was due has printed nothing yet`)
      else late.push(executed - due)
    }
  })
  const title = `${dags} DAGs due in one minute`
  return [
    { work: `${title}: late, p50`, unit: 'ms', value: percentile(late, 0.5) },
    { work: `${title}: late, p99`, unit: 'ms', value: percentile(late, 0.99) },
    { work: `${title}: missed or doubled`, unit: 'runs', value: Math.abs(dags - late.length) },
  ]
}
