import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { CallFailure, newKey } from '../../data/call.ts'
import { useData } from '../../data/page-data.ts'
import { faultsByField, paramFaults, type ParamFaults } from '../../model/params-faults.ts'
import type { ParamField } from '../../model/params-fields.ts'
import { changedParams, type ParamValues } from '../../model/params-text.ts'

export interface StartOptions {
  readonly runId: string
  /** Of a run that is enqueued. */
  readonly queue: string
  /** Whether it is refused while another run of the DAG is active. */
  readonly isAlone: boolean
}

export interface Start {
  readonly isPending: boolean
  readonly error: Error | undefined
  readonly faults: ParamFaults
  readonly send: (operation: 'startDag' | 'enqueueDag') => Promise<void>
  /** Sends a call with the params, and notes their faults. Undefined if there are any. */
  readonly check: <Answer>(call: () => Promise<Answer>) => Promise<Answer | undefined>
}

interface Given {
  readonly fileName: string
  readonly name: string
  readonly fields: readonly ParamField[]
  readonly values: ParamValues
  readonly options: StartOptions
  readonly onStarted: () => void
}

/** Sends a start, and keeps the error of the service. */
export function useStart({ fileName, name, fields, values, options, onStarted }: Given): Start {
  const { ask, links, said, cache } = useData()
  const { route } = useLocation()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  const [faults, setFaults] = useState<ParamFaults>(new Map())
  // The same key for every attempt of this dialog, so that a start whose response was lost does not happen twice.
  const key = useRef(newKey())

  async function check<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    const found = paramFaults(fields, values)
    setFaults(found)
    setError(undefined)
    if (found.size > 0) return undefined
    setPending(true)
    try {
      return await call()
    } catch (thrown) {
      key.current = newKey()
      const refused = faultsByField(fields, thrown instanceof CallFailure ? thrown.faults : [])
      setFaults(refused)
      if (refused.size === 0) setError(thrown as Error)
      return undefined
    } finally {
      setPending(false)
    }
  }

  async function send(operation: 'startDag' | 'enqueueDag'): Promise<void> {
    const { runId, queue, isAlone } = options
    const params = changedParams(fields, values)
    const started = await check(() =>
      ask(operation, {
        params: { fileName },
        headers: { 'Idempotency-Key': key.current },
        body: {
          ...(params !== undefined && { params }),
          ...(runId !== '' && { dagRunId: runId }),
          ...(operation === 'enqueueDag' && queue !== '' && { queue }),
          ...(isAlone && { singleton: true }),
        },
      }),
    )
    if (started === undefined) return
    said.value = operation === 'startDag' ? `${fileName} was started` : `${fileName} was enqueued`
    void cache.invalidateQueries()
    onStarted()
    route(links.run(name, started.dagRunId))
  }
  return { isPending, error, faults, send, check }
}
