import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readConfig } from '#lib/config/config.ts'
import { outerMentions } from '#lib/dags/warn-about-missing.ts'
import type { Definition, Problem, SpecReading } from '#lib/definition/definition.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import { Refusal, type Service } from './service.ts'

interface DagFile {
  readonly dag: Definition
  readonly faults: readonly string[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** Time zone of schedules that name none. */
  readonly zone: string
}

const yamlEnd = /\.ya?ml$/

/**
 * The YAML files of a folder and its subfolders, sorted by path; or the given file itself. As in a DAG folder, hidden
 * entries are skipped and symbolic links to folders are not followed.
 */
export async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const found = await readdir(path, { withFileTypes: true })
  const below = found
    .filter(({ name }) => !name.startsWith('.'))
    .map(async (entry) => {
      const inside = join(path, entry.name)
      if (entry.isDirectory()) return await filesOf(inside)
      return yamlEnd.test(entry.name) ? [inside] : []
    })
  return (await Promise.all(below)).flat().toSorted()
}

/** The name of the DAG of a file. */
export const nameOfFile = (file: string): string => basename(file).replace(yamlEnd, '')

/**
 * Reads a file as a service with these settings would.
 * @param service checks the file against its DAGs and queues; without one, DAGs are the files in the same folder
 * @param together names of DAGs that count as existing, because their files are read in the same command
 */
export async function readDagFile(
  file: string,
  service: Service | undefined,
  together: ReadonlySet<string> = new Set(),
): Promise<DagFile> {
  const { zone, baseConfigFile, queues } = readConfig(process.env)
  const base = baseConfigFile === undefined ? {} : { base: await readFile(baseConfigFile, 'utf8') }
  const fileName = nameOfFile(file)
  const spec = await readFile(file, 'utf8')
  const reading = readSpec(spec, { fileName, ...base })
  if (service !== undefined) {
    const answer = await checkBy(service, { spec, name: fileName })
    const known = new Set(
      outerMentions(reading).flatMap(({ kind, name, line, column }) =>
        kind === 'dag' && together.has(name) ? [`${line}:${column}`] : [],
      ),
    )
    const warnings = answer.warnings.filter(({ line, column }) => !known.has(`${line}:${column}`))
    return { dag: reading.dag, faults: answer.errors, problems: answer.problems, warnings, zone }
  }
  const missing = await missingHere(file, reading, {
    queues: new Set(queues.map(({ name }) => name)),
    together,
  })
  const { dag, problems } = reading
  return {
    dag,
    faults: problems.map(formatProblem),
    problems,
    warnings: [...reading.warnings, ...missing],
    zone,
  }
}

/** An invalid DAG name counts as a fault of the file. */
async function checkBy(service: Service, body: { readonly spec: string; readonly name: string }) {
  try {
    return await service.ask('validateDag', { body })
  } catch (error) {
    if (error instanceof Refusal && error.status === 400)
      return { errors: [error.message], problems: [], warnings: [] }
    throw error
  }
}

/** Without a service, queues are checked only if the settings define any. */
async function missingHere(
  file: string,
  reading: SpecReading,
  { queues, together }: { readonly queues: ReadonlySet<string>; readonly together: ReadonlySet<string> },
): Promise<Problem[]> {
  const open = outerMentions(reading)
  if (open.length === 0) return []
  const dags = new Set([...together, ...(await yamlFiles(dirname(file))).map(nameOfFile)])
  return open.flatMap(({ kind, name, line, column }) => {
    const shown = JSON.stringify(name)
    if (kind === 'dag' && !dags.has(name))
      return [{ message: `there is no DAG ${shown} to call in the folder of this file`, line, column }]
    if (kind === 'queue' && queues.size > 0 && !queues.has(name))
      return [{ message: `MILLRACE_QUEUES does not define the queue ${shown}`, line, column }]
    return []
  })
}

async function yamlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => yamlEnd.test(name)).toSorted()
}
