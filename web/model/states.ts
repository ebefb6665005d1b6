import { runStatuses, stepStatuses, type RunStatus, type StepStatus } from '#lib/core/status.ts'

/** The states of runs, steps and DAGs on the page: a mark, a word, a colour. */
export type State = RunStatus | StepStatus | 'never_ran'

const words: Readonly<Record<State, string>> = {
  not_started: 'waiting',
  running: 'running',
  failed: 'failed',
  cancelled: 'cancelled',
  success: 'succeeded',
  queued: 'queued',
  partial_success: 'partly succeeded',
  skipped: 'skipped',
  never_ran: 'never ran',
}

/** The word for people. The API has words of its own, for programs. */
export const stateWord = (state: State): string => words[state]

/** @param code of the API, 0 to 6 */
export const runState = (code: number): RunStatus => runStatuses[code] ?? 'not_started'

/** @param word of the API for the state of a DAG: the status of its newest run, or `never` */
export const dagState = (word: string): State => runStatuses.find((status) => status === word) ?? 'never_ran'

/** @param code of the API, 0 to 5; 6 is the partial success of a step whose child ended so */
export const stepState = (code: number): State => stepStatuses[code] ?? 'partial_success'

/** The code by which runs are filtered, for a word that a person types. */
export function stateCodeOf(word: string): number | undefined {
  const wanted = word.toLowerCase()
  const at = runStatuses.findIndex((state) => state === wanted || words[state] === wanted)
  return at < 0 ? undefined : at
}

export const hasEnded = (state: State): boolean =>
  state !== 'not_started' && state !== 'running' && state !== 'queued' && state !== 'never_ran'

const settable = ['success', 'failed', 'skipped', 'cancelled', 'not_started'] as const

/** The states that can be set by hand on a step of a finished run, with their API codes; a retry starts from them. */
export const settableSteps = (): { readonly code: number; readonly state: State }[] =>
  settable.map((state) => ({ code: stepStatuses.indexOf(state), state }))

/** Whether a run began noticeably late. Ticks and runners take a second or two. */
export const isLate = (lateMs: number): boolean => lateMs >= 10_000
