import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { readConfig } from '#lib/config/config.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'

interface DagFile {
  readonly dag: Definition
  readonly faults: readonly string[]
  /** Of schedules that name none. */
  readonly zone: string
}

/** Reads a file as the service with these settings would, without one. */
export async function readDagFile(file: string): Promise<DagFile> {
  const { zone, baseConfigFile } = readConfig(process.env)
  const base = baseConfigFile === undefined ? {} : { base: await readFile(baseConfigFile, 'utf8') }
  const fileName = basename(file).replace(/\.ya?ml$/, '')
  const { dag, problems } = readSpec(await readFile(file, 'utf8'), { fileName, ...base })
  return { dag, faults: problems.map(formatProblem), zone }
}
