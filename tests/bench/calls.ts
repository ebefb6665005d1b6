import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'

interface Details {
  readonly status: number
}

const finished = new Set([2, 3, 4, 6])

let serial = 0

/** A unique name for a DAG or a run. */
export const nextName = (kind: string): string => `${kind}-${process.pid}-${serial++}`

/** A DAG of `count` steps; `upstream` returns the indices of the steps that a step depends on. */
export function dagText(count: number, command: string, upstream: (index: number) => number[]): string {
  const steps = Array.from({ length: count }, (_, index) => {
    const depends = upstream(index)
      .map((other) => `s${other}`)
      .join(', ')
    return `  - name: s${index}\n    command: ${command}\n    depends: [${depends}]\n`
  })
  return `type: graph\nmaxActiveRuns: 1000\nsteps:\n${steps.join('')}`
}

export const chain = (index: number): number[] => (index === 0 ? [] : [index - 1])
export const alone = (): number[] => []
export const layered = (index: number): number[] =>
  index < 100 ? [] : [index - 100, index - (index % 100) - 100 + ((index + 37) % 100)]

/** Creates a DAG. @throws Error with the response if the service refuses it */
export async function put(service: Service, name: string, spec: string): Promise<void> {
  const reply = await service.post('/dags', { name, spec })
  if (reply.status !== 201) throw new Error(`cannot create ${name}: ${JSON.stringify(reply.body)}`)
}

/** Waits for the end of a run. @returns whether it succeeded */
export async function untilFinished(
  service: Service,
  name: string,
  id: string,
  pauseMs: number,
): Promise<boolean> {
  for (;;) {
    const reply = await service.get(`/dag-runs/${name}/${id}`)
    const run = (reply.body as { dagRunDetails?: Details } | undefined)?.dagRunDetails
    if (run !== undefined && finished.has(run.status)) return run.status === 4
    await sleep(pauseMs)
  }
}

/** Performs an action for each item, `count` at a time. */
export async function together<Item>(
  count: number,
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const work = async (): Promise<void> => {
    for (const item of rest) await act(item)
  }
  await Promise.all(Array.from({ length: count }, work))
}

/** When a step that prints `date +%s%N` ran, milliseconds since 1970; undefined if it has printed nothing. */
export async function printedAt(
  service: Service,
  { name, id, step }: { readonly name: string; readonly id: string; readonly step: string },
): Promise<number | undefined> {
  const log = await service.get(`/dag-runs/${name}/${id}/steps/${step}/log?stream=stdout`)
  const { content = '' } = log.body as { content?: string }
  return content.trim() === '' ? undefined : Number(content.trim()) / 1e6
}
