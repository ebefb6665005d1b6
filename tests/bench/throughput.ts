import { alone, chain, dagText, nextName, put, together, untilFinished } from './calls.ts'
import type { Figure } from './figures.ts'
import type { Service } from './service.ts'

/** What is started, and how. */
interface Load {
  readonly verb: 'start' | 'enqueue'
  readonly dags: number
  readonly runs: number
  /** Requests at the same time. */
  readonly callers: number
  /** Steps of a run, one after the other. */
  readonly steps: number
}

/** From the first request until every run is finished. Memory is the most that was seen meanwhile. */
export async function measureThroughput(service: Service, load: Load): Promise<Figure[]> {
  const { verb, dags, runs, callers, steps } = load
  const names = Array.from({ length: dags }, () => nextName('thr'))
  for (const name of names) await put(service, name, dagText(steps, '"true"', steps === 1 ? alone : chain))
  const work = Array.from({ length: runs }, (_, place) => ({
    name: names[place % dags] ?? '',
    id: nextName('run'),
  }))
  const cpuBefore = await service.cpuMs()
  let memory = 0
  const watch = setInterval(() => {
    void service.memoryMiB().then((now) => {
      memory = Math.max(memory, now)
    })
  }, 500)
  const begun = performance.now()
  await together(callers, work, async ({ name, id }) => {
    const reply = await service.post(`/dags/${name}/${verb}`, { dagRunId: id })
    if (reply.status !== 200) throw new Error(`${verb}: ${reply.status} ${JSON.stringify(reply.body)}`)
  })
  let failed = 0
  for (const { name, id } of work) if (!(await untilFinished(service, name, id, 25))) failed += 1
  const seconds = (performance.now() - begun) / 1000
  clearInterval(watch)
  const cpu = ((await service.cpuMs()) - cpuBefore) / runs
  const title = `${verb}, ${callers} at once, ${dags} DAG${dags > 1 ? 's' : ''}`
  if (steps > 1)
    return [{ work: `${title} of ${steps} steps`, unit: 'steps/s', value: (runs * steps) / seconds }]
  return [
    { work: title, unit: 'runs/s', value: runs / seconds },
    { work: `${title}: CPU`, unit: 'ms/run', value: cpu },
    { work: `${title}: failed`, unit: 'runs', value: failed },
    { work: `${title}: memory`, unit: 'MiB', value: memory },
  ]
}
