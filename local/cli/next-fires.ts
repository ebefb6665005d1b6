import { Refusal, type Service } from './service.ts'

/** The next times at which a DAG fires, in UTC, or why they are unknown. */
export interface NextFires {
  readonly fires: readonly string[]
  readonly fault?: string
}

/** Lets the service compute the fires, since it uses the time zone of its own settings. */
export async function nextFires(service: Service, fileName: string): Promise<NextFires> {
  const { spec } = await service.ask('getDagSpec', { params: { fileName } })
  try {
    const body = { spec, name: fileName }
    const { plan, errors } = await service.ask('validateDag', { query: { plan: 'true' }, body })
    return plan === undefined ? { fires: [], fault: errors.join('; ') } : { fires: plan.nextFires }
  } catch (error) {
    // The DAG requires params, which a schedule cannot provide.
    if (error instanceof Refusal && error.status === 400) return { fires: [], fault: error.message }
    throw error
  }
}
