import { openService } from './service.ts'

/** Somebody waits with the key pressed. */
const answerMsMax = 2_000
const namesMax = 1_000

/**
 * Names of DAGs that begin so, of the service that the environment names; none when it does not answer at once. Shells
 * expand the words that they are given, so only names that hold nothing to expand are told.
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
