import { dirname, resolve } from 'node:path'
import { limits } from '#lib/core/limits.ts'
import { FileError } from '#lib/files/file-error.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import { UsageError } from '../command.ts'
import { filesOf, nameOfFile } from '../dag-file.ts'
import { importDag, type Imported } from '../import-dag.ts'
import { plain, type Output } from '../output.ts'
import { defineServiceCommand, Refusal, type Service } from '../service.ts'
import { messageOption } from '../versions.ts'

/** Lines that a note names. */
const linesShown = 10

interface Candidate {
  readonly name: string
  readonly spec?: string
  readonly fault?: string
  readonly schedule?: string
  /** Of the crontab, counted from 1. */
  readonly line?: number
  readonly notes?: readonly string[]
}

type Row = Imported & Pick<Candidate, 'schedule' | 'line' | 'notes'> & { readonly suspended?: true }

export const importDags = defineServiceCommand({
  name: 'import',
  summary: 'Import a folder of DAG files, or a crontab as one DAG per entry',
  usage: ['PATH'],
  details:
    'PATH is a folder (subfolders included), a YAML file, or with --crontab a crontab; - is standard input:\n' +
    'crontab -l | millrace import --crontab -. DAGs of a crontab arrive suspended: compare them with cron, then\n' +
    'millrace resume DAG. Cron starts a command again while it still runs; a DAG skips that start (overlapPolicy).\n' +
    'The exit code is 1 when something was not stored.',
  options: {
    crontab: { about: 'PATH is a crontab' },
    system: { about: 'entries name a user, as in /etc/crontab and /etc/cron.d' },
    activate: { about: 'the schedules of a crontab start at once' },
    replace: { about: 'replace DAGs that have another text' },
    message: messageOption,
    'dry-run': { about: 'only say what would be done' },
  },
  async run({ words: [path = ''], options, output }, service) {
    const { crontab, system, activate, replace, message, 'dry-run': dryRun } = options
    if (path === '-' && !crontab)
      throw new UsageError('- goes with --crontab: a DAG needs the name of a file')
    if ((system || activate) && !crontab) {
      throw new UsageError(`--${system ? 'system' : 'activate'} goes with --crontab`)
    }
    const candidates = crontab ? await fromCrontab(path, system) : await fromFiles(path)
    const mailFault = await mailFaultOf(service, candidates, crontab)
    const done: Row[] = []
    for (const { name, spec, fault = '', ...about } of candidates) {
      output.progress(`${done.length} of ${candidates.length}: ${name}`)
      const how = { replace, dryRun, message, suspended: crontab && !activate }
      const result: Imported =
        spec === undefined
          ? { dag: name, outcome: 'faulty', fault }
          : await importDag(service, { name, spec }, how)
      const isNew = result.outcome === 'created' && how.suspended
      done.push({ ...result, ...about, ...(isNew && { suspended: true }) })
    }
    showRows(done, { path, isCrontab: crontab, dryRun }, output)
    if (mailFault !== undefined && !output.isJson)
      output.write(`${output.style('yellow', 'warning:')} ${mailFault}\n`)
    return done.some(({ outcome }) => outcome === 'faulty' || outcome === 'differs') ? 1 : 0
  },
})

function showRows(
  rows: readonly Row[],
  {
    path,
    isCrontab,
    dryRun,
  }: { readonly path: string; readonly isCrontab: boolean; readonly dryRun: boolean },
  output: Output,
): void {
  const outcomeOf = ({ outcome, suspended }: Row): string => {
    const isDone = outcome === 'created' || outcome === 'replaced'
    return `${dryRun && isDone ? 'would be ' : ''}${outcome}${suspended ? ', suspended' : ''}`
  }
  output.table(
    rows,
    {
      dag: ({ dag }) => dag,
      ...(isCrontab && { schedule: ({ schedule = '' }: Row) => schedule }),
      outcome: output.statuses(outcomeOf),
    },
    `${path} holds no DAG`,
  )
  if (output.isJson) return
  for (const { dag, fault } of rows)
    if (fault !== undefined) output.write(`${output.style('red', 'fault:')} ${dag}: ${plain(fault)}\n`)
  const all = rows.flatMap(({ line, notes = [] }) => notes.map((note) => ({ line, note })))
  for (const [note, of] of Map.groupBy(all, (one) => one.note)) {
    const lines = of.map(({ line }) => line)
    const shown = `${lines.slice(0, linesShown).join(', ')}${lines.length > linesShown ? ' …' : ''}`
    output.write(`note: line${lines.length > 1 ? 's' : ''} ${shown}: ${plain(note)}\n`)
  }
  for (const { dag, warnings = [] } of rows)
    for (const warning of warnings)
      output.write(`${output.style('yellow', 'warning:')} ${dag}: ${plain(warning)}\n`)
}

async function fromFiles(path: string): Promise<Candidate[]> {
  const files = await filesOf(path)
  const ofName = Map.groupBy(files, nameOfFile)
  return files.map((file) => {
    const name = nameOfFile(file)
    const others = (ofName.get(name) ?? []).filter((other) => other !== file)
    if (others.length > 0) return { name, fault: `${file} and ${others.join(', ')} have the same name` }
    try {
      const bytes = readSmallFile(file, { what: 'DAG file', bytesMax: limits.specBytesMax })
      return { name, spec: bytes.toString('utf8') }
    } catch (error) {
      if (error instanceof FileError) return { name, fault: error.message }
      throw error
    }
  })
}

async function fromCrontab(path: string, isGiven: boolean): Promise<Candidate[]> {
  const { readCrontab } = await import('#lib/definition/crontab/read-crontab.ts')
  const { crontabLines } = await import('#lib/definition/crontab/crontab-lines.ts')
  const content =
    path === '-' ? await readInput() : readSmallFile(path, { what: 'crontab', bytesMax: limits.specBytesMax })
  const file = resolve(path)
  const isSystem = isGiven || file === '/etc/crontab' || dirname(file) === '/etc/cron.d'
  return readCrontab(crontabLines(content), { isSystem }).map(({ name, spec, fault, line, ...about }) => ({
    ...about,
    name,
    line,
    ...(spec === undefined ? { fault: `line ${line}: ${fault}` } : { spec }),
  }))
}

/** @throws Error for more than a crontab may have */
async function readInput(): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of process.stdin as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > limits.specBytesMax) throw new Error(`the crontab is larger than ${limits.specBytesMax} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Says that nothing is mailed, where neither a DAG nor the service has no server to send mails through. */
async function mailFaultOf(
  service: Service,
  candidates: readonly Candidate[],
  isCrontab: boolean,
): Promise<string | undefined> {
  const mailing = candidates.filter(({ spec = '' }) => /^(errorMail|mailOn):/m.test(spec))
  const mute: string[] = []
  // The entries of a crontab have the same mail settings.
  for (const { name, spec = '' } of isCrontab ? mailing.slice(0, 1) : mailing)
    if (await lacksServer(service, { name, spec })) mute.push(name)
  if (mute.length === 0) return undefined
  const where = 'which belongs into the file of MILLRACE_BASE_CONFIG'
  return isCrontab
    ? `nothing is mailed: the service has no smtp, ${where}`
    : `nothing is mailed by ${mute.join(', ')}: neither the DAG nor the service has smtp, ${where}`
}

async function lacksServer(
  service: Service,
  body: { readonly name: string; readonly spec: string },
): Promise<boolean> {
  try {
    const { plan } = await service.ask('validateDag', { query: { plan: 'true' }, body })
    return (plan?.warnings ?? []).some((warning) => warning.includes('smtp'))
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
