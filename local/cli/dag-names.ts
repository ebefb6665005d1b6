import { openService } from './service.ts'

/** Maximum wait in milliseconds; a user is waiting for the completion. */
const answerMsMax = 2_000
const namesMax = 1_000

/**
 * Names of DAGs with a prefix, for completion, from the service named by the environment; none when it does not
 * respond in time. Shells expand completions, so names with special characters are left out.
 */
export async function dagNames(beginning: string): Promise<string[]> {
  try {
    const service = openService({}, process.env, (request) =>
      fetch(request, { signal: AbortSignal.timeout(answerMsMax) }),
    )
    const { dags } = await service.ask('listDags', { query: { name: beginning, perPage: namesMax } })
    return dags
      .map(({ fileName }) => fileName)
      .filter((name) => name.startsWith(beginning) && /^\w[\w.-]*$/.test(name))
  } catch {
    return []
  }
}
