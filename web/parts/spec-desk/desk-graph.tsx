import { useMemo } from 'preact/hooks'
import type { PlanAnswer } from '../../data/dag-answer.ts'
import { LazyGraph } from '../step-graph/lazy-graph.tsx'

interface Props {
  readonly steps: PlanAnswer['steps']
  /** What is said of each step, in their order. */
  readonly notes?: readonly string[]
  /** The step in which the cursor is. */
  readonly current: string | undefined
  readonly onStep: (name: string) => void
}

/** The steps of the text as a graph: a press on one moves the cursor there. */
export function DeskGraph({ steps, notes, current, onStep }: Props) {
  const graph = useMemo(
    () =>
      steps.map(({ name, depends, call }, index) => ({
        name,
        dependsOn: depends,
        state: undefined,
        note: notes?.[index] ?? (call === undefined ? '' : `calls ${call}`),
        href: undefined,
        isOnPath: false,
        isHeld: false,
      })),
    [steps, notes],
  )
  if (steps.length === 0) return <p class="desk-note">The text has no steps yet.</p>
  return <LazyGraph steps={graph} current={current} onStep={onStep} />
}
