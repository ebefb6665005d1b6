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
    'millrace resume DAG. Cron starts a command even while it is running; a DAG skips that start (overlapPolicy).\n' +
    `--from reads the jobs of another program (${foreignFormats.join(', ')}), or the folder of\n` +
    'millrace export (millrace). Without --apply it only reports what it would do, and every difference.\n' +
    'DAGs with a schedule arrive suspended. The exit code is 1 if something was not stored.',
  options: {
    from: { value: 'PROGRAM', about: 'read the jobs of this program; see above' },
    apply: { about: 'with --from: store the jobs, instead of only reporting them' },
    crontab: { about: 'PATH is a crontab' },
    system: { about: 'with --crontab: entries name a user, as in /etc/crontab' },
    activate: { about: 'imported schedules start at once' },
    replace: { about: 'replace existing DAGs that differ' },
    message: messageOption,
    'dry-run': { about: 'only report what would be done' },
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
      // Shown even after an error.
      showRows(done, { path }, output)
    }
    if (!output.isJson) {
      for (const remark of remarks) output.write(`note: ${plain(remark)}\n`)
      if (mailFault !== undefined) output.write(`${output.style('yellow', 'warning:')} ${mailFault}\n`)
      if (from !== undefined && dryRun) output.write('nothing was stored; pass --apply to store it\n')
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
  if (from !== undefined && crontab) throw new UsageError('--crontab and --from do not go together')
  if (apply && from === undefined) throw new UsageError('--apply needs --from')
  if (path === '-' && !crontab && from === undefined)
    throw new UsageError('- needs --crontab: a DAG needs a file name')
  if (system && !crontab) throw new UsageError('--system needs --crontab')
  if (activate && !crontab && from === undefined) throw new UsageError('--activate needs --crontab or --from')
}

async function read(
  path: string,
  { crontab, system }: Flags,
): Promise<{ readonly candidates: Candidate[]; readonly remarks: readonly string[] }> {
  return { candidates: crontab ? await fromCrontab(path, system) : await fromFiles(path), remarks: [] }
}
