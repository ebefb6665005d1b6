import { UsageError } from '../command.ts'
import { importDag, type Imported } from '../import-dag.ts'
import type { Candidate } from '../import/candidate.ts'
import { importExport } from '../import/import-export.ts'
import { mailFaultOf } from '../import/mail-fault.ts'
import { fromCrontab } from '../import/read-crontab-file.ts'
import { fromFiles } from '../import/read-files.ts'
import { foreignFormats, fromForeign } from '../import/read-foreign.ts'
import { showRows, type Row } from '../import/show-rows.ts'
import { plain } from '../output.ts'
import { defineServiceCommand } from '../service.ts'
import { messageOption } from '../versions.ts'

export const importDags = defineServiceCommand({
  name: 'import',
  summary: 'Import DAG files, an export, or the jobs of another program',
  usage: ['PATH'],
  details:
    'PATH is a folder (subfolders included), a YAML file, or with --crontab a crontab; - is standard input:\n' +
    'crontab -l | millrace import --crontab -. DAGs of a crontab arrive suspended: compare them with cron, then\n' +
    'millrace resume DAG. Cron starts a command again while it still runs; a DAG skips that start (overlapPolicy).\n' +
    `--from reads what other programs have (${foreignFormats.join(', ')}), or the folder of\n` +
    'millrace export (millrace). It only reports what it would do, and every difference, until --apply is given;\n' +
    'DAGs with a schedule arrive suspended. The exit code is 1 when something was not stored.',
  options: {
    from: { value: 'PROGRAM', about: 'PATH is of this program; see above' },
    apply: { about: 'with --from: store what was reported' },
    crontab: { about: 'PATH is a crontab' },
    system: { about: 'entries name a user, as in /etc/crontab and /etc/cron.d' },
    activate: { about: 'schedules of another program start at once' },
    replace: { about: 'replace DAGs that have another text' },
    message: messageOption,
    'dry-run': { about: 'only say what would be done' },
  },
  async run({ words: [path = ''], options, output }, service) {
    const { crontab, activate, replace, from, apply, message } = options
    checkTogether(path, options)
    const dryRun = options['dry-run'] || (from !== undefined && !apply)
    if (from === 'millrace') return await importExport(service, path, { replace, dryRun, message, output })
    const { candidates, remarks } =
      from === undefined ? await read(path, options) : await fromForeign(from, path)
    const isForeign = crontab || from !== undefined
    const mailFault = await mailFaultOf(service, candidates, crontab || from === 'crontab')
    const done: Row[] = []
    try {
      for (const { name, spec, fault = '', isSuspended, ...about } of candidates) {
        output.progress(`${done.length} of ${candidates.length}: ${name}`)
        const suspended = isSuspended === true || (isForeign && !activate && about.schedule !== '')
        const result: Imported =
          spec === undefined
            ? { dag: name, outcome: 'faulty', fault }
            : await importDag(service, { name, spec }, { replace, dryRun, message, suspended })
        const isDone = result.outcome === 'created' || result.outcome === 'replaced'
        done.push({
          ...result,
          ...about,
          ...(result.outcome === 'created' && suspended && { suspended: true }),
          ...(isDone && dryRun && { wouldBe: true }),
        })
      }
    } finally {
      // What was done before an error is told, too.
      showRows(done, { path }, output)
    }
    if (!output.isJson) {
      for (const remark of remarks) output.write(`note: ${plain(remark)}\n`)
      if (mailFault !== undefined) output.write(`${output.style('yellow', 'warning:')} ${mailFault}\n`)
      if (from !== undefined && dryRun) output.write('nothing was stored: --apply does it\n')
    }
    return done.some(({ outcome }) => outcome === 'faulty' || outcome === 'differs') ? 1 : 0
  },
})

interface Flags {
  readonly from: string | undefined
  readonly apply: boolean
  readonly crontab: boolean
  readonly system: boolean
  readonly activate: boolean
}

function checkTogether(path: string, { from, apply, crontab, system, activate }: Flags): void {
  if (from !== undefined && crontab) throw new UsageError('--crontab is --from crontab: give one of them')
  if (apply && from === undefined) throw new UsageError('--apply goes with --from')
  if (path === '-' && !crontab && from === undefined)
    throw new UsageError('- goes with --crontab: a DAG needs the name of a file')
  if (system && !crontab) throw new UsageError('--system goes with --crontab')
  if (activate && !crontab && from === undefined)
    throw new UsageError('--activate goes with --crontab or --from')
}

async function read(
  path: string,
  { crontab, system }: Flags,
): Promise<{ readonly candidates: Candidate[]; readonly remarks: readonly string[] }> {
  return { candidates: crontab ? await fromCrontab(path, system) : await fromFiles(path), remarks: [] }
}
