import { nearestName } from '#lib/core/nearest-name.ts'
import { listDagsAndFaults } from './dags.ts'
import { Refusal, type Service } from './service.ts'

/** The service does not know the name, or it cannot be the name of a file. */
export const isAbsent = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.status === 404 || error.status === 400)

/**
 * Does something with a DAG, which the user names by its file or, where one file alone has it, by its `name`.
 * @param act called with the name of the file; again, with another one, when the first is absent
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
 * The file of a DAG.
 * @throws Error with the nearest name
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
/** A file of the folder of DAGs that is not stored: its path, then why. */
const isFaultOf = (fault: string, dag: string): boolean =>
  [`${dag}.yaml`, `${dag}.yml`].includes(fault.split(': ', 1)[0]?.split('/').at(-1) ?? '')

/** No DAG has the name, or several have it. */
export class UnknownDag extends Error {
  override readonly name = 'UnknownDag'
}

/**
 * The name of a DAG in its runs. Runs outlive their DAG, so it may be that no DAG has the name: `fault` tells.
 */
export async function nameInRuns(
  service: Service,
  dag: string,
): Promise<{ readonly name: string; readonly fault: UnknownDag | undefined }> {
  try {
    const name = await withDag(service, dag, async (fileName) => {
      // The text of a DAG may give it another name than that of the file.
      return (await service.ask('getDagSpec', { params: { fileName } })).dag.name
    })
    return { name, fault: undefined }
  } catch (error) {
    if (error instanceof UnknownDag) return { name: dag, fault: error }
    throw error
  }
}
