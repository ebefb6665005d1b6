import { useMemo } from 'preact/hooks'
import type { PlanAnswer } from '../../data/dag-answer.ts'
import { PlanText } from '../start-dialog/start-plan.tsx'
import { DeskGraph } from './desk-graph.tsx'
import { useFindings, type Findings } from './use-findings.ts'

interface Props {
  readonly findings: Findings | undefined
  readonly name: string
  readonly current: string | undefined
  readonly onStep: (name: string) => void
}

/** What a run of the text would do, with the defaults of its params: drawn on the graph, and in words. */
export function DeskPlan({ findings, name, current, onStep }: Props) {
  const isSound = findings?.answer.valid === true
  const { findings: planned, error } = useFindings(isSound ? findings.text : undefined, name, true)
  if (findings === undefined) return null
  if (!isSound) return <p class="desk-note">There is no plan while the text has problems.</p>
  if (error !== undefined) return <p class="desk-note">No plan: {error.message}</p>
  if (planned?.answer.plan === undefined) return null
  return <Planned answer={planned.answer} plan={planned.answer.plan} current={current} onStep={onStep} />
}

interface PlannedProps extends Pick<Props, 'current' | 'onStep'> {
  readonly answer: PlanAnswer
  readonly plan: NonNullable<PlanAnswer['plan']>
}

function Planned({ answer: { steps, warnings }, plan, current, onStep }: PlannedProps) {
  const notes = useMemo(() => {
    const rounds = new Map(
      plan.order.flatMap((names, round) => names.map((one) => [one, round + 1] as const)),
    )
    return steps.map(({ name }) => (rounds.has(name) ? `order ${rounds.get(name)}` : ''))
  }, [plan, steps])
  const step = plan.steps.find(({ name }) => name === current)
  const noted = [...warnings.map(({ message }) => message), ...plan.warnings]
  return (
    <>
      <DeskGraph steps={steps} notes={notes} current={current} onStep={onStep} />
      <section class="desk-plan" aria-label="Plan">
        {step !== undefined && step.work.length > 0 && (
          <>
            <h2 class="desk-plan-head">{step.name} runs</h2>
            <pre class="desk-plan-work" tabIndex={0}>
              {step.work.join('\n')}
            </pre>
          </>
        )}
        {noted.map((note) => (
          <p key={note}>Warning: {note}</p>
        ))}
        <h2 class="desk-plan-head">A run</h2>
        <PlanText plan={plan} />
      </section>
    </>
  )
}
