import type { ComponentChildren } from 'preact'
import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'
import { hasEnded, type State } from '../../model/states.ts'
import type { RunDetails } from './run-details.ts'

/** What is known of a run, in one line. */
export function RunFacts({ run, state }: { readonly run: RunDetails; readonly state: State }) {
  const { now } = useData()
  const startedAt = instantOf(run.startedAt)
  const attempts = run.attempts?.length ?? 1
  return (
    <dl class="run-facts">
      <Fact name="Run">
        <code>{run.dagRunId}</code>
      </Fact>
      {attempts > 1 && <Fact name="Attempt">{attempts}</Fact>}
      <Fact name="Trigger">{run.triggerType}</Fact>
      <Fact name="Started">
        <Ago at={startedAt} now={now} />
      </Fact>
      <Fact name="Took">
        <Took startedAt={startedAt} ms={run.durationMs} isOver={hasEnded(state)} now={now} />
      </Fact>
      {run.workerId !== '' && (
        <Fact name="Runner">
          <code>{run.workerId}</code>
        </Fact>
      )}
      {run.params !== '' && (
        <Fact name="Params">
          <code class="run-facts-params" dir="auto">
            {run.params}
          </code>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="run-facts-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
