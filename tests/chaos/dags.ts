import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('step.sh', import.meta.url))

/** One step of the suite as YAML. It may be retried many times, because losing its runner is no fault of the step. */
export function step(name: string, { kind = 'plain', beats = 4, pauseS = 0.05, more = '' } = {}): string {
  const command = `sh ${script} ${kind} ${beats} ${pauseS}`
  return `  - {name: ${name}, command: ${command}, retryPolicy: {limit: 20, intervalSec: 0}${more}}`
}

const handler = (name: string): string => `  ${name}: {command: sh ${script} plain 1}`

/** The queues of the suite with their limits. */
export const queues = { lane: 3, narrow: 1 } as const

/** A DAG, and the queue that its runs wait in, if any. */
export interface ChaosDag {
  readonly name: string
  readonly queue?: keyof typeof queues
  readonly spec: string
}

/** The lightest load: one short process per run. */
export const lightDags: readonly ChaosDag[] = [
  { name: 'light', spec: ['steps:', step('one', { beats: 0 })].join('\n') },
]

/** The usual load: small DAGs of every kind. */
export const chaosDags: readonly ChaosDag[] = [
  { name: 'chain', spec: ['steps:', step('one'), step('two'), step('three')].join('\n') },
  {
    name: 'fan',
    spec: [
      'type: graph',
      'steps:',
      step('root'),
      ...['left', 'middle', 'right'].map((name) => step(name, { more: ', depends: [root]' })),
      step('join', { more: ', depends: [left, middle, right]' }),
    ].join('\n'),
  },
  {
    name: 'flaky',
    spec: ['steps:', step('try', { kind: 'flaky' }), 'handlerOn:', handler('exit'), handler('success')].join(
      '\n',
    ),
  },
  {
    name: 'family',
    spec: [
      'steps:',
      step('before', { beats: 1 }),
      '  - {name: child, call: chain, retryPolicy: {limit: 20, intervalSec: 0}}',
      step('after', { beats: 1 }),
    ].join('\n'),
  },
  { name: 'orphans', spec: ['steps:', step('leave', { kind: 'orphans', beats: 20 })].join('\n') },
  { name: 'queued', queue: 'lane', spec: ['steps:', step('one'), step('two')].join('\n') },
  { name: 'single', queue: 'narrow', spec: ['steps:', step('one', { beats: 2 })].join('\n') },
]
