import { nearestName } from '#lib/core/nearest-name.ts'
import { listDagsAndFaults } from './dags.ts'
import { Refusal, type Service } from './service.ts'

/** Whether the service has no DAG with the name, or the name is invalid. */
export const isAbsent = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.status === 404 || error.status === 400)

/**
 * Acts on a DAG that the user names by its file or, if that is unique, by its `name`.
 * @param act called with the user's text as the file name; if absent, again with the file that has this `name`
 * @throws Error with the nearest name when there is no such DAG
 */
export async function withDag<Result>(
  service: Service,
  dag: string,
  act: (fileName: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await act(dag)
  } catch (error) {
    if (!isAbsent(error)) throw error
    const fileName = await fileOf(service, dag)
    if (fileName === dag) throw error
    return await act(fileName)
  }
}

/**
 * The file name of a DAG, found by that or by its `name`.
 * @throws UnknownDag with the nearest name
 */
export async function fileOf(service: Service, dag: string): Promise<string> {
  const { dags, faults } = await listDagsAndFaults(service)
  if (dags.some(({ fileName }) => fileName === dag)) return dag
  const named = dags.filter((item) => item.dag.name === dag).map(({ fileName }) => fileName)
  const [found, ...others] = named
  const shown = JSON.stringify(dag)
  if (found === undefined) {
    const nearest = nearestName(dag, [...new Set(dags.flatMap((item) => [item.fileName, item.dag.name]))])
    const hint =
      faults.find((fault) => isFaultOf(fault, dag)) ??
      (yamlPath.test(dag)
        ? 'files are read by millrace validate, plan and import'
        : nearest && `did you mean ${nearest}?`)
    throw new UnknownDag(`DAG ${shown} not found${hint ? `; ${hint}` : ''}`)
  }
  if (others.length > 0)
    throw new UnknownDag(`${named.length} DAGs have the name ${shown}: name the file, ${named.join(' or ')}`)
  return found
}

const yamlPath = /\.ya?ml$/
/** A fault of a file in the DAG folder reads `path: reason`. */
const isFaultOf = (fault: string, dag: string): boolean =>
  [`${dag}.yaml`, `${dag}.yml`].includes(fault.split(': ', 1)[0]?.split('/').at(-1) ?? '')

/** No DAG has the name, or several have it. */
export class UnknownDag extends Error {
  override readonly name = 'UnknownDag'
}

/**
 * The name of a DAG in its runs. Runs outlive their DAG, so a missing DAG is returned as `fault`, not thrown.
 */
export async function nameInRuns(
  service: Service,
  dag: string,
): Promise<{ readonly name: string; readonly fault: UnknownDag | undefined }> {
  try {
    const name = await withDag(service, dag, async (fileName) => {
      // The spec may set a `name` other than the file name.
      return (await service.ask('getDagSpec', { params: { fileName } })).dag.name
    })
    return { name, fault: undefined }
  } catch (error) {
    if (error instanceof UnknownDag) return { name: dag, fault: error }
    throw error
  }
}
