import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { newKey } from '../../data/call.ts'
import { useData } from '../../data/page-data.ts'
import { hasEnded, type State } from '../../model/states.ts'
import { Failure } from '../load-state/load-state.tsx'
import type { RunPlace } from '../step-table/step-name.tsx'

interface Props {
  readonly run: RunPlace
  readonly state: State
  readonly onAgain: () => void
}

/** What can be done about a run. */
export function RunActions({ run, state, onAgain }: Props) {
  const { ask, cache, said } = useData()
  const [pending, setPending] = useState('')
  const [error, setError] = useState<{ what: string; error: Error }>()
  const params = { name: run.name, dagRunId: run.runId }

  async function act(what: string, done: string, send: () => Promise<unknown>): Promise<void> {
    setPending(what)
    setError(undefined)
    try {
      await send()
      said.value = done
    } catch (thrown) {
      setError({ what, error: thrown as Error })
    }
    await cache.invalidateQueries({ queryKey: ['run', run.name, run.runId] })
    setPending('')
  }
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
            isPending={pending !== ''}
            onPress={() => void act('The run was not stopped', 'the run was told to stop', stop)}
          >
            Stop
          </Button>
        )}
        {isOver && state !== 'success' && (
          <Button
            isMain
            isPending={pending !== ''}
            onPress={() => void act('The run was not retried', 'the run goes on', retry)}
          >
            Retry failed
          </Button>
        )}
        <Button onPress={onAgain}>Run again…</Button>
      </div>
      {error !== undefined && <Failure {...error} />}
    </>
  )
}
