import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from './figures.ts'
import { percentile } from './figures.ts'
import type { Service } from './service.ts'

interface Details {
  readonly status: number
}

const finished = new Set([2, 3, 4, 6])

let serial = 0
const nextId = (): string => `bench-${process.pid}-${serial++}`

/** A DAG of `count` steps; `upstream` gives the places that a step depends on. */
function dagText(count: number, command: string, upstream: (place: number) => number[]): string {
  const steps = Array.from({ length: count }, (_, place) => {
    const depends = upstream(place)
      .map((other) => `s${other}`)
      .join(', ')
    return `  - name: s${place}\n    command: ${command}\n    depends: [${depends}]\n`
  })
  return `type: graph\nmaxActiveRuns: 1000\nsteps:\n${steps.join('')}`
}

const chain = (place: number): number[] => (place === 0 ? [] : [place - 1])
const alone = (): number[] => []
const layered = (place: number): number[] =>
  place < 100 ? [] : [place - 100, place - (place % 100) - 100 + ((place + 37) % 100)]

async function put(service: Service, name: string, spec: string): Promise<void> {
  const reply = await service.post('/dags', { name, spec })
  if (reply.status !== 201) throw new Error(`cannot create ${name}: ${JSON.stringify(reply.body)}`)
}

async function details(service: Service, name: string, id: string): Promise<Details | undefined> {
  const reply = await service.get(`/dag-runs/${name}/${id}`)
  return (reply.body as { dagRunDetails?: Details } | undefined)?.dagRunDetails
}

/** @returns whether it succeeded */
async function untilFinished(service: Service, name: string, id: string, pauseMs: number): Promise<boolean> {
  for (;;) {
    const run = await details(service, name, id)
    if (run !== undefined && finished.has(run.status)) return run.status === 4
    await sleep(pauseMs)
  }
}

interface Shape {
  readonly name: string
  readonly spec: string
  readonly steps: number
  readonly repeats: number
}

const shapes: readonly Shape[] = [
  { name: 'echo', spec: dagText(1, 'echo hi', alone), steps: 1, repeats: 40 },
  { name: 'chain of 100', spec: dagText(100, '"true"', chain), steps: 100, repeats: 5 },
  { name: 'fan-out of 100', spec: dagText(100, '"true"', alone), steps: 100, repeats: 5 },
  { name: 'graph of 1,000', spec: dagText(1000, '"true"', layered), steps: 1000, repeats: 1 },
]

/** One run at a time on an idle service: start to answer, start to finished, and the time of a step. */
export async function measureLatency(service: Service): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const shape of shapes) {
    const name = `lat${serial++}`
    await put(service, name, shape.spec)
    const answers: number[] = []
    const ends: number[] = []
    // Round 0 warms up both sides and does not count.
    for (let round = 0; round <= shape.repeats; round++) {
      const id = nextId()
      const begun = performance.now()
      await service.post(`/dags/${name}/start`, { dagRunId: id })
      const answered = performance.now() - begun
      if (!(await untilFinished(service, name, id, 3))) throw new Error(`run ${id} of ${name} failed`)
      if (round === 0) continue
      answers.push(answered)
      ends.push(performance.now() - begun)
    }
    const half = percentile(ends, 0.5)
    if (shape.steps === 1) {
      figures.push(
        { work: 'start answered, p50', unit: 'ms', value: percentile(answers, 0.5) },
        { work: 'start answered, p99', unit: 'ms', value: percentile(answers, 0.99) },
        { work: `start to finished (${shape.name}), p50`, unit: 'ms', value: half },
        { work: `start to finished (${shape.name}), p99`, unit: 'ms', value: percentile(ends, 0.99) },
      )
    } else {
      figures.push({ work: `${shape.name}, per step`, unit: 'ms', value: half / shape.steps })
    }
  }
  return figures
}

/**
 * Runs of one step, `callers` requests at once, over `dags` DAGs: from the first request until every run is
 * finished.
 */
export async function measureThroughput(
  service: Service,
  options: { verb: 'start' | 'enqueue'; dags: number; runs: number; callers: number },
): Promise<Figure[]> {
  const { verb, dags, runs, callers } = options
  const names = Array.from({ length: dags }, () => `thr${serial++}`)
  for (const name of names) await put(service, name, dagText(1, '"true"', alone))
  const work = Array.from({ length: runs }, (_, place) => ({ name: names[place % dags] ?? '', id: nextId() }))
  const cpuBefore = await service.cpuMs()
  const begun = performance.now()
  const queue = [...work]
  const caller = async (): Promise<void> => {
    for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
      const reply = await service.post(`/dags/${run.name}/${verb}`, { dagRunId: run.id })
      if (reply.status !== 200) throw new Error(`${verb}: ${reply.status} ${JSON.stringify(reply.body)}`)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  let failed = 0
  for (const run of work) if (!(await untilFinished(service, run.name, run.id, 25))) failed += 1
  const seconds = (performance.now() - begun) / 1000
  const title = `${verb}, ${callers} at once, ${dags} DAG${dags > 1 ? 's' : ''}`
  return [
    { work: title, unit: 'runs/s', value: runs / seconds },
    { work: `${title}: CPU`, unit: 'ms/run', value: ((await service.cpuMs()) - cpuBefore) / runs },
    { work: `${title}: failed`, unit: 'runs', value: failed },
  ]
}

/** A file of 2,000 steps with values to fill in: read, checked and planned for one answer, on a warm service. */
export async function measurePlanning(service: Service): Promise<Figure[]> {
  const spec = `params: [{DAY: monday}]\n${dagText(2000, 'echo "${DAY}" ${PATH:0:1}', layered)}`
  const times: number[] = []
  for (let round = 0; round <= 5; round++) {
    const begun = performance.now()
    const reply = await service.post('/dags/validate?plan=true', { spec })
    const { plan } = reply.body as { plan?: unknown }
    if (plan === undefined) throw new Error(`validate: ${reply.status} ${JSON.stringify(reply.body)}`)
    if (round > 0) times.push(performance.now() - begun)
  }
  return [{ work: 'plan of a file of 2,000 steps, p50', unit: 'ms', value: percentile(times, 0.5) }]
}
