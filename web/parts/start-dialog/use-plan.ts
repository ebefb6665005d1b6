import { useEffect, useState } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import type { ParamField } from '../../model/params-fields.ts'
import { changedParams, type ParamValues } from '../../model/params-text.ts'
import type { PlanAnswer } from '../../data/dag-answer.ts'
import type { Start } from './use-start.ts'

interface Given {
  readonly fileName: string
  readonly fields: readonly ParamField[]
  readonly values: ParamValues
  readonly start: Start
}

/** The plan of a run with these params. Changed params need another plan. */
export function usePlan({ fileName, fields, values, start }: Given) {
  const { ask } = useData()
  const [answer, setAnswer] = useState<PlanAnswer>()
  useEffect(() => setAnswer(undefined), [values])
  const planned = async (): Promise<PlanAnswer> => {
    const { spec } = await ask('getDagSpec', { params: { fileName } })
    const params = changedParams(fields, values)
    return ask('validateDag', {
      query: { plan: 'true' },
      body: { spec, name: fileName, ...(params !== undefined && { params }) },
    })
  }
  return { answer, ask: async () => setAnswer(await start.check(planned)) }
}
