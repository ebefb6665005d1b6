import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FileError } from '#lib/files/file-error.ts'
import { UsageError } from '../command.ts'
import type { Candidate } from './candidate.ts'
import { fromCrontab } from './read-crontab-file.ts'
import { fromFiles, readInput, readText } from './read-files.ts'

interface Found {
  readonly candidates: Candidate[]
  /** Findings other than DAGs, one sentence each. */
  readonly remarks: readonly string[]
}

const readers: Readonly<Record<string, (path: string) => Promise<Found>>> = {
  dagu: fromDagu,
  crontab: async (path) => ({ candidates: await fromCrontab(path, false), remarks: [] }),
  systemd: fromSystemd,
  'github-actions': fromWorkflows,
  cronicle: fromCronicle,
}

/** Values of `--from`, apart from `millrace`. */
export const foreignFormats = Object.keys(readers)

/**
 * Reads the jobs of another program.
 * @throws UsageError when the format is unknown, or cannot come from standard input
 */
export async function fromForeign(format: string, path: string): Promise<Found> {
  const read = Object.hasOwn(readers, format) ? readers[format] : undefined
  if (read === undefined)
    throw new UsageError(`--from takes millrace, ${foreignFormats.join(', ')}; got ${JSON.stringify(format)}`)
  if (path === '-' && format !== 'crontab' && format !== 'cronicle')
    throw new UsageError(`--from ${format} cannot read standard input: give a folder`)
  return await read(path)
}

/** Takes the folder of DAG files, or its parent, which also has the base configuration. */
async function fromDagu(path: string): Promise<Found> {
  const { differencesOf, queuesOf, scheduleTextOf } =
    await import('#lib/definition/converters/dagu/differences.ts')
  const inner = join(path, 'dags')
  const home = existsSync(inner) ? path : dirname(path)
  const files = await fromFiles(existsSync(inner) ? inner : path)
  const candidates = files
    .filter(({ name }) => name !== 'base' || existsSync(inner))
    .map(({ spec, ...one }) =>
      spec === undefined ? one : { ...one, spec, schedule: scheduleTextOf(spec), notes: differencesOf(spec) },
    )
  const base = [join(home, 'base.yaml'), join(path, 'base.yaml')].find((file) => existsSync(file))
  const config = join(home, 'config.yaml')
  const queues = existsSync(config) ? queuesOf(readText(config, 'configuration')) : ''
  return {
    candidates,
    remarks: [
      ...(base === undefined
        ? []
        : [`${base} is the base configuration: start with MILLRACE_BASE_CONFIG=${base}`]),
      ...(queues === '' ? [] : [`${config} has queues: start with MILLRACE_QUEUES=${queues}`]),
    ],
  }
}

async function fromSystemd(path: string): Promise<Found> {
  const { readTimers } = await import('#lib/definition/converters/systemd/read-timers.ts')
  const isFolder = statSync(path).isDirectory()
  const folder = isFolder ? path : dirname(path)
  const wanted = isFolder ? /\.(timer|service)$/ : /\.service$/
  const files = readdirSync(folder).filter((name) => wanted.test(name) || name === basename(path))
  const units = new Map<string, string>()
  const remarks: string[] = []
  for (const name of files.toSorted()) {
    try {
      units.set(name, readText(join(folder, name), 'unit'))
    } catch (error) {
      if (!(error instanceof FileError) || name === basename(path)) throw error
      remarks.push(`${error.message}: it was left out`)
    }
  }
  return { candidates: readTimers(units), remarks }
}

/** Takes a workflow, a folder of them, or a repository with `.github/workflows`. */
async function fromWorkflows(path: string): Promise<Found> {
  const { readWorkflow } = await import('#lib/definition/converters/actions/read-workflow.ts')
  const own = join(path, '.github/workflows')
  const files = await fromFiles(existsSync(own) ? own : path)
  const candidates = files.map((one) => (one.spec === undefined ? one : readWorkflow(one.spec, one.name)))
  return { candidates, remarks: [] }
}

async function fromCronicle(path: string): Promise<Found> {
  const { readEvents } = await import('#lib/definition/converters/cronicle/read-events.ts')
  const { readExport } = await import('#lib/definition/converters/cronicle/read-export.ts')
  const text = path === '-' ? (await readInput('the export')).toString('utf8') : readText(path, 'export')
  const candidates = readEvents(readExport(text)).map(({ isDisabled, ...one }) => ({
    ...one,
    ...(isDisabled && { isSuspended: true }),
  }))
  return { candidates, remarks: [] }
}
