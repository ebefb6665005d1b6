import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readConfig } from '#lib/config/config.ts'
import type { Definition, Problem } from '#lib/definition/definition.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'

interface DagFile {
  readonly dag: Definition
  readonly faults: readonly string[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** Time zone of schedules that name none. */
  readonly zone: string
}

/** The YAML files of a folder, by name; or the given file itself. */
export async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => /\.ya?ml$/.test(name)).toSorted()
  return names.map((name) => join(path, name))
}

/** Reads a file as a service with these settings would; needs no service. */
export async function readDagFile(file: string): Promise<DagFile> {
  const { zone, baseConfigFile } = readConfig(process.env)
  const base = baseConfigFile === undefined ? {} : { base: await readFile(baseConfigFile, 'utf8') }
  const fileName = basename(file).replace(/\.ya?ml$/, '')
  const { dag, problems, warnings } = readSpec(await readFile(file, 'utf8'), { fileName, ...base })
  return { dag, faults: problems.map(formatProblem), problems, warnings, zone }
}
