import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { text as readStream } from 'node:stream/consumers'
import { importDag, type Imported } from '../import-dag.ts'
import { defineServiceCommand } from '../service.ts'

interface Candidate {
  readonly name: string
  readonly spec?: string
  readonly fault?: string
}

export const importDags = defineServiceCommand({
  name: 'import',
  summary: 'Store a folder of DAG files, or a crontab as one DAG for each entry',
  usage: ['PATH'],
  details:
    'PATH is a folder, a YAML file, or with --crontab a crontab; - is standard input: crontab -l | millrace import\n' +
    '--crontab -. The exit code is 1 when something was not stored.',
  options: {
    crontab: { about: 'PATH is a crontab: one DAG for each entry' },
    replace: { about: 'replace DAGs that have another text' },
    'dry-run': { about: 'only say what would become of each' },
  },
  async run({ words: [path = ''], options, output }, service) {
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
  const isFolder = path !== '-' && (await stat(path)).isDirectory()
  const files = isFolder ? (await readdir(path)).filter((name) => /\.ya?ml$/.test(name)).toSorted() : [path]
  return await Promise.all(
    files.map(async (file) => ({
      name: file === '-' ? 'imported' : basename(file, extname(file)),
      spec: await readText(isFolder ? join(path, file) : file),
    })),
  )
}

async function fromCrontab(path: string): Promise<Candidate[]> {
  const { readCrontab } = await import('../crontab.ts')
  return readCrontab(await readText(path)).map(({ line, name, spec, fault }) =>
    spec === undefined ? { name, fault: `line ${line}: ${fault}` } : { name, spec },
  )
}

function readText(path: string): Promise<string> {
  return path === '-' ? readStream(process.stdin) : readFile(path, 'utf8')
}
