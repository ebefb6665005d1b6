import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { text as readStream } from 'node:stream/consumers'
import { UsageError } from '../command.ts'
import { filesOf } from '../dag-file.ts'
import { importDag, type Imported } from '../import-dag.ts'
import { defineServiceCommand } from '../service.ts'

interface Candidate {
  readonly name: string
  readonly spec?: string
  readonly fault?: string
}

export const importDags = defineServiceCommand({
  name: 'import',
  summary: 'Import a folder of DAG files, or a crontab as one DAG per entry',
  usage: ['PATH'],
  details:
    'PATH is a folder, a YAML file, or with --crontab a crontab; - is standard input: crontab -l | millrace import\n' +
    '--crontab -. Cron starts a command also while it still runs; a DAG leaves such a time out (overlapPolicy).\n' +
    'The exit code is 1 when something was not stored.',
  options: {
    crontab: { about: 'PATH is a crontab: one DAG for each entry' },
    replace: { about: 'replace DAGs that have another text' },
    'dry-run': { about: 'only say what would become of each' },
  },
  async run({ words: [path = ''], options, output }, service) {
    if (path === '-' && !options.crontab)
      throw new UsageError('- goes with --crontab: a DAG needs the name of a file')
    const candidates = options.crontab ? await fromCrontab(path) : await fromFiles(path)
    const how = { replace: options.replace, dryRun: options['dry-run'] }
    const done: Imported[] = []
    for (const { name, spec, fault = '' } of candidates) {
      output.progress(`${done.length} of ${candidates.length}: ${name}`)
      done.push(
        spec === undefined
          ? { dag: name, outcome: 'faulty', fault }
          : await importDag(service, { name, spec }, how),
      )
    }
    output.table(
      done,
      { dag: ({ dag }) => dag, outcome: ({ outcome }) => outcome, fault: ({ fault }) => fault ?? '' },
      `${path} holds no DAG`,
    )
    return done.some(({ outcome }) => outcome === 'faulty' || outcome === 'differs') ? 1 : 0
  },
})

async function fromFiles(path: string): Promise<Candidate[]> {
  const files = await filesOf(path)
  return await Promise.all(
    files.map(async (file) => ({ name: basename(file, extname(file)), spec: await readFile(file, 'utf8') })),
  )
}

async function fromCrontab(path: string): Promise<Candidate[]> {
  const { readCrontab } = await import('../crontab.ts')
  const text = path === '-' ? await readStream(process.stdin) : await readFile(path, 'utf8')
  return readCrontab(text).map(({ line, name, spec, fault }) =>
    spec === undefined ? { name, fault: `line ${line}: ${fault}` } : { name, spec },
  )
}
