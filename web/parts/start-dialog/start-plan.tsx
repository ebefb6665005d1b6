import { useEffect, useRef } from 'preact/hooks'
import { useMoment } from '../../controls/time/use-moment.ts'
import type { PlanAnswer } from '../../data/dag-answer.ts'

/** Rounds and values that are listed; the rest is counted. */
const shownMax = 60

/** What a run would do: in which order, with which values, in which queue. */
export function StartPlan({ answer: { errors, warnings, plan } }: { readonly answer: PlanAnswer }) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [])
  const notes = [...warnings.map(({ message }) => message), ...(plan?.warnings ?? [])]
  return (
    <section ref={element} class="start-plan" aria-label="Plan">
      {errors.map((error) => (
        <p key={error}>Fault: {error}</p>
      ))}
      {notes.map((note) => (
        <p key={note}>Warning: {note}</p>
      ))}
      {plan !== undefined && <PlanText plan={plan} />}
    </section>
  )
}

/** A plan in words. */
export function PlanText({ plan }: { readonly plan: NonNullable<PlanAnswer['plan']> }) {
  const moment = useMoment('short')
  const { order, values, queue, nextFires } = plan
  return (
    <>
      <h3 class="start-plan-head">Order</h3>
      <ol class="start-plan-order">
        {order.slice(0, shownMax).map((names) => (
          <li key={names[0]}>{listed(names)}</li>
        ))}
      </ol>
      {order.length > shownMax && <p class="quiet">and {order.length - shownMax} more</p>}
      {values.length > 0 && (
        <>
          <h3 class="start-plan-head">Values</h3>
          <dl class="start-plan-values">
            {values.slice(0, shownMax).map(({ name, value, origin }) => (
              <div key={`${origin} ${name}`} class="start-plan-value">
                <dt>{name}</dt>
                <dd>
                  <code dir="auto">{value}</code> <span class="quiet">{origin}</span>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {nextFires.length > 0 && (
        <>
          <h3 class="start-plan-head">Next starts</h3>
          <ul>
            {nextFires.map((at) => (
              <li key={at}>{moment(Date.parse(at))}</li>
            ))}
          </ul>
        </>
      )}
      <p class="quiet">
        Queue <code>{queue}</code>
      </p>
    </>
  )
}

/** Steps that begin together. */
const listed = (names: readonly string[]): string =>
  names.length <= 8 ? names.join(', ') : `${names.slice(0, 8).join(', ')} and ${names.length - 8} more`
