import type { ComponentChildren } from 'preact'
import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import type { RunOutline } from '../../data/run-calls.ts'
import { instantOf } from '../../model/durations.ts'
import type { RunAddress } from '../../model/links.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { ParamChips } from '../../parts/param-chips/param-chips.tsx'
import { AttemptLinks } from './attempt-links.tsx'
import { RunVersion } from './run-version.tsx'
import { SinceSuccess } from './since-success.tsx'
import { TimeLeft } from './time-left.tsx'

/** The facts of a run, in one line. */
export function RunFacts({ address, run }: { readonly address: RunAddress; readonly run: RunOutline }) {
  const { now } = useData()
  const startedAt = run.startedAtMs ?? instantOf(run.startedAt)
  // A retry began long after the run was created.
  const isRetried = (run.attempt ?? 1) > 1
  const waitedMs = isRetried ? 0 : (startedAt ?? now.value) - (run.queuedAtMs ?? run.createdAtMs ?? Infinity)
  return (
    <dl class="run-facts">
      <Fact name="Run">
        <code>{run.dagRunId}</code>
      </Fact>
      {run.attempts !== undefined && (
        <Fact name="Attempt">
          <AttemptLinks address={address} attempts={run.attempts} shown={run.attempt} />
        </Fact>
      )}
      <Fact name="Trigger">
        {run.triggeredBy === undefined ? run.triggerType : `${run.triggerType}, ${run.triggeredBy}`}
      </Fact>
      {run.scheduledAtMs !== undefined && (
        <Fact name="Scheduled for">
          <Ago at={run.scheduledAtMs} now={now} />
        </Fact>
      )}
      <Fact name="Started">
        <Ago at={startedAt} now={now} />
      </Fact>
      {waitedMs >= 1_000 && (
        <Fact name="Waited">
          <Took startedAt={undefined} ms={waitedMs} isOver now={now} />
        </Fact>
      )}
      <Fact name="Took">
        <Took startedAt={startedAt} ms={run.durationMs} isOver={hasEnded(runState(run.status))} now={now} />
        <TimeLeft run={run} startedAt={startedAt} />
      </Fact>
      {run.stopRequestedAtMs !== undefined && (
        <Fact name="Asked to stop">
          <Ago at={run.stopRequestedAtMs} now={now} />
        </Fact>
      )}
      {run.workerId !== '' && (
        <Fact name="Runner">
          <code>{run.workerId}</code> {run.worker?.host}
        </Fact>
      )}
      {run.queue !== undefined && run.queue !== run.name && <Fact name="Queue">{run.queue}</Fact>}
      <RunVersion run={run} />
      <SinceSuccess run={run} />
      {run.paramsList.length > 0 && (
        <Fact name="Params">
          <ParamChips params={run.paramsList} />
        </Fact>
      )}
    </dl>
  )
}

/** A name and what it says. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="run-facts-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
