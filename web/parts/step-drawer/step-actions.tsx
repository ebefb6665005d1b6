import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { newKey } from '../../data/call.ts'
import { useData } from '../../data/page-data.ts'
import { useRunRefusal } from '../../data/refusal.ts'
import { callsAbout, runKey } from '../../data/run-calls.ts'
import { useAction } from '../../data/use-action.ts'
import type { RunAddress } from '../../model/links.ts'
import { hasEnded, settableSteps, stateWord, type State } from '../../model/states.ts'
import { isHandler, type StepRow } from '../../model/step-rows.ts'
import { Failure } from '../load-state/load-state.tsx'

interface Props {
  readonly run: RunAddress
  readonly runState: State
  readonly row: StepRow
}

/** The actions on a step of a finished run: run it again, or set its state. */
export function StepActions({ run, runState, row }: Props) {
  const { ask } = useData()
  const refusal = useRunRefusal()
  const { isPending, fault, act } = useAction(runKey(run))
  const choices = settableSteps()
  const [chosen, setChosen] = useState(choices.find(({ state }) => state !== row.state)?.code ?? 4)
  if (!hasEnded(runState) || isHandler(row) || run.attempt !== undefined) return null
  const { name, runId } = run
  const retry = (): Promise<unknown> =>
    ask('retryDagRun', {
      params: { name, dagRunId: runId },
      headers: { 'Idempotency-Key': newKey() },
      body: { dagRunId: runId, stepName: row.name },
    })
  return (
    <>
      <div class="step-drawer-actions">
        {run.childId === undefined && (
          <Button
            isPending={isPending}
            refusal={refusal}
            onPress={() => void act('The step was not retried', `${row.name} is run again`, retry)}
          >
            Retry step
          </Button>
        )}
        <select
          class="step-drawer-choice"
          aria-label="New state"
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        >
          {choices.map(({ code, state }) => (
            <option key={code} value={code} selected={code === chosen}>
              {stateWord(state)}
            </option>
          ))}
        </select>
        <Button
          isPending={isPending}
          refusal={refusal}
          onPress={() =>
            void act('The state was not set', `the state of ${row.name} is set`, () =>
              callsAbout(ask, run).setStep(row.name, chosen),
            )
          }
        >
          Set state
        </Button>
      </div>
      {fault !== undefined && <Failure {...fault} />}
    </>
  )
}
