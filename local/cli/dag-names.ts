import { openService } from './service.ts'

/** Maximum wait, milliseconds: somebody has pressed the completion key. */
const answerMsMax = 2_000
const namesMax = 1_000

/**
 * Names of DAGs with a prefix, for completion, from the service that the environment names; none when it does not
 * answer in time. Shells expand the words that they receive, so names with special characters are left out.
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
