import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readConfig } from '#lib/config/config.ts'
import { outerMentions } from '#lib/dags/warn-about-missing.ts'
import type { Definition, Problem, SpecReading } from '#lib/definition/definition.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import type { Service } from './service.ts'

interface DagFile {
  readonly dag: Definition
  readonly faults: readonly string[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** Time zone of schedules that name none. */
  readonly zone: string
}

const yamlEnd = /\.ya?ml$/

/** The YAML files of a folder, by name; or the given file itself. */
export async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  return (await yamlFiles(path)).map((name) => join(path, name))
}

/**
 * Reads a file as a service with these settings would.
 * @param service knows which DAGs and queues exist; without one, the DAGs are the files beside this one
 */
export async function readDagFile(file: string, service: Service | undefined): Promise<DagFile> {
  const { zone, baseConfigFile, queues } = readConfig(process.env)
  const base = baseConfigFile === undefined ? {} : { base: await readFile(baseConfigFile, 'utf8') }
  const fileName = basename(file).replace(yamlEnd, '')
  const spec = await readFile(file, 'utf8')
  const reading = readSpec(spec, { fileName, ...base })
  if (service !== undefined) {
    const { errors, problems, warnings } = await service.ask('validateDag', {
      body: { spec, name: fileName },
    })
    return { dag: reading.dag, faults: errors, problems, warnings, zone }
  }
  const missing = await missingHere(file, reading, new Set(queues.map(({ name }) => name)))
  const { dag, problems } = reading
  return {
    dag,
    faults: problems.map(formatProblem),
    problems,
    warnings: [...reading.warnings, ...missing],
    zone,
  }
}

/** Without a service, queues are known only where the settings name some. */
async function missingHere(
  file: string,
  reading: SpecReading,
  queues: ReadonlySet<string>,
): Promise<Problem[]> {
  const open = outerMentions(reading)
  if (open.length === 0) return []
  const dags = new Set((await yamlFiles(dirname(file))).map((name) => name.replace(yamlEnd, '')))
  return open.flatMap(({ kind, name, line, column }) => {
    const shown = JSON.stringify(name)
    if (kind === 'dag' && !dags.has(name))
      return [{ message: `there is no DAG ${shown} to call beside this file`, line, column }]
    if (kind === 'queue' && queues.size > 0 && !queues.has(name))
      return [{ message: `MILLRACE_QUEUES does not define the queue ${shown}`, line, column }]
    return []
  })
}

async function yamlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => yamlEnd.test(name)).toSorted()
}
