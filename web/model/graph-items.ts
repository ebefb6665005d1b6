import type { FoldedGraph, Linked } from './fold-steps.ts'
import { stateWord, type State } from './states.ts'

/** A step of a graph. */
export interface GraphStep extends Linked {
  /** Undefined: of a definition, which has no state. */
  readonly state: State | undefined
  /** Further details: its duration, the DAG that it calls. */
  readonly note: string
  /** Where it leads when it is opened. */
  readonly href: string | undefined
  /** Whether it is on the critical path. */
  readonly isOnPath: boolean
  /** Whether a failure before it blocked it. */
  readonly isHeld: boolean
}

/** A box as it is shown. */
export interface GraphItem {
  readonly key: string
  readonly name: string
  readonly count: number
  /** The worst one for a stack. */
  readonly state: State | undefined
  /** For a stack, the number of steps in each state, the worst first. */
  readonly shares: readonly (readonly [State, number])[]
  readonly note: string
  readonly href: string | undefined
  readonly isOnPath: boolean
  readonly isHeld: boolean
}

const worstFirst: readonly State[] = [
  'failed',
  'cancelled',
  'partial_success',
  'running',
  'queued',
  'not_started',
  'skipped',
  'success',
  'never_ran',
]

/** The boxes of a graph with the current state of their steps. */
export function graphItems({ boxes }: FoldedGraph, steps: readonly GraphStep[]): GraphItem[] {
  return boxes.map(({ key, members, isStack }) => {
    const [first] = members
    const step = steps[first ?? -1]
    if (step === undefined) return { ...nothing, key }
    if (!isStack) return { ...step, key, count: 1, shares: [] }
    const all = members.flatMap((index) => steps[index] ?? [])
    const shares = worstFirst
      .map((state) => [state, all.filter((one) => one.state === state).length] as const)
      .filter(([, count]) => count > 0)
    return {
      key,
      name: step.name,
      count: members.length,
      state: shares[0]?.[0],
      shares,
      note: '',
      href: undefined,
      isOnPath: all.some(({ isOnPath }) => isOnPath),
      isHeld: all.every(({ isHeld }) => isHeld),
    }
  })
}

const nothing: Omit<GraphItem, 'key'> = {
  name: '',
  count: 0,
  state: undefined,
  shares: [],
  note: '',
  href: undefined,
  isOnPath: false,
  isHeld: false,
}

/** `3 failed, 995 succeeded`. */
export const sharesText = ({ shares }: GraphItem): string =>
  shares.map(([state, count]) => `${count} ${stateWord(state)}`).join(', ')

/** The description of a box, in a line. */
export function itemText(item: GraphItem): string {
  const { name, count, state, note } = item
  const own = count > 1 ? sharesText(item) : state === undefined ? '' : stateWord(state)
  return [count > 1 ? `${name} and ${count - 1} equal steps` : name, own, note]
    .filter((text) => text !== '')
    .join(' · ')
}

/** The index of the box to show first. */
export function itemToLookAt(items: readonly GraphItem[]): number {
  const firstIn = (wanted: State): number => items.findIndex(({ state }) => state === wanted)
  return Math.max(0, firstIn('failed') >= 0 ? firstIn('failed') : firstIn('running'))
}
