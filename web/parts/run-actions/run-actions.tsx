import { Button } from '../../controls/button/button.tsx'
import { newKey } from '../../data/call.ts'
import { useData } from '../../data/page-data.ts'
import { useRunRefusal } from '../../data/refusal.ts'
import { runKey } from '../../data/run-calls.ts'
import { useAction } from '../../data/use-action.ts'
import type { RunAddress } from '../../model/links.ts'
import { hasEnded, type State } from '../../model/states.ts'
import { Failure } from '../load-state/load-state.tsx'

interface Props {
  readonly run: RunAddress
  readonly state: State
  readonly onAgain: () => void
}

/** The actions on a root run; child runs are stopped and retried through it. */
export function RunActions({ run, state, onAgain }: Props) {
  const { ask } = useData()
  const refusal = useRunRefusal()
  const { isPending, fault, act } = useAction(runKey(run))
  const params = { name: run.name, dagRunId: run.runId }
  const stop = (): Promise<unknown> =>
    state === 'queued' ? ask('dequeueDagRun', { params }) : ask('stopDagRun', { params })
  const retry = (): Promise<unknown> =>
    ask('retryDagRun', {
      params,
      headers: { 'Idempotency-Key': newKey() },
      body: { dagRunId: run.runId },
    })
  const isOver = hasEnded(state)
  return (
    <>
      <div class="run-actions">
        {!isOver && (
          <Button
            isPending={isPending}
            refusal={refusal}
            onPress={() => void act('The run was not stopped', 'the run is being stopped', stop)}
          >
            Stop
          </Button>
        )}
        {isOver && state !== 'success' && (
          <Button
            isMain
            isPending={isPending}
            refusal={refusal}
            onPress={() => void act('The run was not retried', 'the run continues', retry)}
          >
            Retry failed
          </Button>
        )}
        <Button refusal={refusal} onPress={onAgain}>
          Run again…
        </Button>
      </div>
      {fault !== undefined && <Failure {...fault} />}
    </>
  )
}
