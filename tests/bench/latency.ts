import { percentile, type Figure } from './figures.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { alone, chain, dagText, layered, nextName, printedAt, put, untilFinished } from './calls.ts'
import type { Service } from './service.ts'

interface Shape {
  readonly name: string
  readonly spec: string
  readonly steps: number
  readonly repeats: number
}

/** A run of one step, which prints the time at which it runs. */
const echo: Shape = { name: 'echo', spec: dagText(1, 'date +%s%N', alone), steps: 1, repeats: 40 }
/** Idle time before each run, milliseconds, as between the calls of people and clients. */
const pauseMs = 50
const shapes: readonly Shape[] = [
  echo,
  { name: 'chain of 100', spec: dagText(100, '"true"', chain), steps: 100, repeats: 5 },
  { name: 'fan-out of 100', spec: dagText(100, '"true"', alone), steps: 100, repeats: 5 },
  { name: 'graph of 1,000', spec: dagText(1000, '"true"', layered), steps: 1000, repeats: 1 },
]

/** Latency of one run at a time on an idle service: until the response, the first process and the end, and per step. */
export async function measureLatency(service: Service): Promise<Figure[]> {
  return await measureShapes(service, shapes)
}

/** The same for a run of one step only. */
export async function measureEcho(service: Service): Promise<Figure[]> {
  return await measureShapes(service, [echo])
}

async function measureShapes(service: Service, asked: readonly Shape[]): Promise<Figure[]> {
  const figures: Figure[] = []
  const wallAtZero = wallClockAtZero()
  for (const shape of asked) {
    const name = nextName('lat')
    await put(service, name, shape.spec)
    const answers: number[] = []
    const ends: number[] = []
    const executions: number[] = []
    // Round 0 is a warm-up.
    for (let round = 0; round <= shape.repeats; round++) {
      const id = nextName('run')
      await sleep(pauseMs)
      const begun = performance.now()
      await service.post(`/dags/${name}/start`, { dagRunId: id })
      const answered = performance.now() - begun
      if (!(await untilFinished(service, name, id, 3))) throw new Error(`run ${id} of ${name} failed`)
      if (round === 0) continue
      answers.push(answered)
      ends.push(performance.now() - begun)
      if (shape.steps > 1) continue
      const executed = await printedAt(service, { name, id, step: 's0' })
      if (executed !== undefined) executions.push(executed - wallAtZero - begun)
    }
    const half = percentile(ends, 0.5)
    if (shape.steps === 1) {
      figures.push(
        { work: 'start answered, p50', unit: 'ms', value: percentile(answers, 0.5) },
        { work: 'start answered, p99', unit: 'ms', value: percentile(answers, 0.99) },
        { work: 'start to the first process, p50', unit: 'ms', value: percentile(executions, 0.5) },
        { work: 'start to the first process, p99', unit: 'ms', value: percentile(executions, 0.99) },
        { work: `start to finished (${shape.name}), p50`, unit: 'ms', value: half },
        { work: `start to finished (${shape.name}), p99`, unit: 'ms', value: percentile(ends, 0.99) },
      )
    } else {
      figures.push({ work: `${shape.name}, per step`, unit: 'ms', value: half / shape.steps })
    }
  }
  return figures
}

/** Milliseconds since 1970 at zero of `performance.now()`, read when the coarse wall clock has just advanced. */
function wallClockAtZero(): number {
  const before = Date.now()
  while (Date.now() === before);
  return Date.now() - performance.now()
}

/** Time to read, check and plan a file of 2,000 steps with references, on a warm service. */
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
