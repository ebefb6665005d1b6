import { runState, stepState, type State } from './states.ts'
import type { Span } from './timeline-scale.ts'

/** A step as lists of steps show it. */
export interface StepNode {
  readonly step: { readonly name: string; readonly depends: readonly string[] }
  readonly status: number
  readonly startedAtMs?: number
  readonly durationMs?: number
  readonly retryCount?: number
  readonly exitCode?: number
  /** Those of its last attempt that have ended. */
  readonly tries?: readonly Pick<StepTry, 'startedAtMs' | 'finishedAtMs'>[]
  readonly error?: string
  readonly children?: readonly ChildNode[]
}

/** A try of a step that has ended. */
export interface StepTry {
  /** Of the run; without it, that in which the step last ran. */
  readonly attempt?: number
  readonly number: number
  readonly startedAtMs?: number
  readonly finishedAtMs?: number
  readonly exitCode?: number
  readonly error: string
  readonly logLine?: number
}

export interface ChildNode {
  readonly dagRunId: string
  readonly name: string
  readonly status: number
}

/** A step of a run as lists and its drawer show it. */
export interface StepRow {
  readonly name: string
  readonly state: State
  readonly dependsOn: readonly string[]
  readonly startedAtMs: number | undefined
  /** Undefined: it continues, or never began. */
  readonly tookMs: number | undefined
  readonly tries: number
  /** When the tries before the last one ran. */
  readonly triedBefore: readonly Span[]
  readonly exitCode: number | undefined
  readonly error: string
  readonly hasLog: boolean
  readonly children: readonly ChildNode[]
}

type Handler = 'onInit' | 'onSuccess' | 'onFailure' | 'onCancel' | 'onExit'

type RunNodes = { readonly nodes: readonly StepNode[] } & {
  readonly [Name in Handler]?: StepNode | null
}

/** The steps of a run, then its handlers that did something. */
export function stepRows(run: RunNodes): StepRow[] {
  const handlers = [run.onInit, run.onSuccess, run.onFailure, run.onCancel, run.onExit]
  const used = handlers.filter((node) => node?.status !== 0)
  return [...run.nodes, ...used].flatMap((node) => (node ? [rowOf(node)] : []))
}

function rowOf(node: StepNode): StepRow {
  const { startedAtMs } = node
  return {
    name: node.step.name,
    state: stepState(node.status),
    dependsOn: node.step.depends,
    startedAtMs,
    tookMs: node.durationMs,
    tries: startedAtMs === undefined ? 0 : (node.retryCount ?? 0) + 1,
    triedBefore: triesBefore(node.tries ?? [], stepState(node.status) === 'running'),
    exitCode: node.exitCode,
    error: errorHead(node.error ?? ''),
    hasLog: startedAtMs !== undefined,
    children: node.children ?? [],
  }
}

/** The last ended try is an earlier one only while the step runs. */
function triesBefore(tries: NonNullable<StepNode['tries']>, isRunning: boolean): Span[] {
  return (isRunning ? tries : tries.slice(0, -1)).flatMap(({ startedAtMs, finishedAtMs }) =>
    startedAtMs === undefined || finishedAtMs === undefined
      ? []
      : [{ startMs: startedAtMs, endMs: finishedAtMs }],
  )
}

/**
 * The error of a failed step without the lines of stderr, because the page shows the log itself. Escape sequences
 * of terminals are left out.
 */
export function errorHead(error: string): string {
  const end = error.search(/\s*recent stderr \(tail\):/)
  const head = end < 0 ? error : error.slice(0, end)
  return head.replaceAll(/\p{Cc}\[[\d;]*[A-Za-z]|(?![\t\n])\p{Cc}/gu, '')
}

/** In the order in which they began, followed by those that have not begun, in file order. */
export function byStart(rows: readonly StepRow[]): StepRow[] {
  return rows.toSorted((a, b) => (a.startedAtMs ?? Infinity) - (b.startedAtMs ?? Infinity) || 0)
}

/** The step to show first: one that failed, one that is running, or the first that wrote. */
export function stepToLookAt(rows: readonly StepRow[]): StepRow | undefined {
  return (
    rows.find(({ state }) => state === 'failed') ??
    rows.find(({ state }) => state === 'running') ??
    rows.find(({ hasLog }) => hasLog)
  )
}

/** The child runs of a step that did not succeed. */
export const failedChildren = ({ children }: StepRow): ChildNode[] =>
  children.filter(({ status }) => runState(status) === 'failed' || runState(status) === 'partial_success')

const handlers: ReadonlySet<string> = new Set<Handler>([
  'onInit',
  'onSuccess',
  'onFailure',
  'onCancel',
  'onExit',
])

/** Whether a row is a handler, which cannot be retried or set by itself. */
export const isHandler = ({ name }: StepRow): boolean => handlers.has(name)

interface Commanded {
  readonly command: string
  readonly args: readonly string[]
  readonly commands?: readonly { readonly command: string; readonly args: readonly string[] }[]
}

/** The commands of a step, a line each. */
export function commandLines({ command, args, commands }: Commanded): string[] {
  const all = commands ?? (command === '' ? [] : [{ command, args }])
  return all.map((one) => [one.command, ...one.args].join(' '))
}

interface TriedNode extends Omit<StepTry, 'number'> {
  readonly tries?: readonly StepTry[]
}

/** The tries of a step that have ended. The service lists those of a step that had several. */
export function triesOf({
  tries,
  startedAtMs,
  finishedAtMs,
  exitCode,
  error,
}: TriedNode): readonly StepTry[] {
  if (tries !== undefined) return tries
  if (startedAtMs === undefined || finishedAtMs === undefined) return []
  return [{ number: 1, startedAtMs, finishedAtMs, error, ...(exitCode !== undefined && { exitCode }) }]
}
