import { alone, chain, dagText, nextName, put, together, untilFinished } from './calls.ts'
import type { Figure } from './figures.ts'
import type { Memory } from './control-group.ts'
import { queue, type Service } from './service.ts'

/** The runs to start, and how. */
interface Load {
  readonly verb: 'start' | 'enqueue'
  readonly dags: number
  readonly runs: number
  /** Concurrent requests. */
  readonly callers: number
  /** Sequential steps of a run. */
  readonly steps: number
}

/** The time and the resources that a load took. */
interface Used {
  readonly seconds: number
  /** CPU milliseconds of the whole system. */
  readonly cpuMs: number
  /** The peak, MiB. */
  readonly memory: Memory
  readonly failed: number
  readonly last: Run
}

interface Run {
  readonly name: string
  readonly id: string
}

/** Throughput from the first request until every run is finished. */
export async function measureThroughput(service: Service, load: Load): Promise<Figure[]> {
  const { verb, dags, runs, callers, steps } = load
  const { seconds, cpuMs, memory, failed } = await work(service, load)
  const where = verb === 'start' ? `${dags} DAG${dags > 1 ? 's' : ''}` : `a queue of ${queue.slots}`
  const title = `${verb}, ${callers} at once, ${where}`
  if (steps > 1)
    return [{ work: `${title} of ${steps} steps`, unit: 'steps/s', value: (runs * steps) / seconds }]
  return [
    { work: title, unit: 'runs/s', value: runs / seconds },
    { work: `${title}: CPU`, unit: 'ms/run', value: cpuMs / runs },
    { work: `${title}: failed`, unit: 'runs', value: failed },
    { work: `${title}: memory of the service`, unit: 'MiB', value: memory.service },
    { work: `${title}: memory with PostgreSQL, shared once`, unit: 'MiB', value: memory.all },
  ]
}

/** Creates this many runs of one step, of twenty DAGs, for the lists. @returns the last one */
export async function makeHistory(service: Service, runs: number): Promise<Run> {
  const { last } = await work(service, { verb: 'start', dags: 20, runs, callers: 32, steps: 1 })
  return last
}

async function work(service: Service, { verb, dags, runs, callers, steps }: Load): Promise<Used> {
  const names = Array.from({ length: dags }, () => nextName('thr'))
  const head = verb === 'enqueue' ? `queue: ${queue.name}\n` : ''
  const spec = dagText(steps, '"true"', steps === 1 ? alone : chain)
  for (const name of names) await put(service, name, head + spec)
  const wanted = Array.from({ length: runs }, (_, index) => ({
    name: names[index % dags] ?? '',
    id: nextName('run'),
  }))
  const cpuBefore = await service.cpuMs()
  let memory: Memory = { all: 0, service: 0 }
  const watch = setInterval(() => {
    void service.memory().then((now) => {
      memory = { all: Math.max(memory.all, now.all), service: Math.max(memory.service, now.service) }
    })
  }, 500)
  const begun = performance.now()
  await together(callers, wanted, async ({ name, id }) => {
    const reply = await service.post(`/dags/${name}/${verb}`, { dagRunId: id })
    if (reply.status !== 200) throw new Error(`${verb}: ${reply.status} ${JSON.stringify(reply.body)}`)
  })
  let failed = 0
  for (const { name, id } of wanted) if (!(await untilFinished(service, name, id, 25))) failed += 1
  const seconds = (performance.now() - begun) / 1000
  clearInterval(watch)
  return {
    seconds,
    cpuMs: (await service.cpuMs()) - cpuBefore,
    memory,
    failed,
    last: wanted.at(-1) ?? { name: '', id: '' },
  }
}
