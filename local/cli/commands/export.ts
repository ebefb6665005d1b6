import { defineServiceCommand } from '../service.ts'
import { writeExport } from '../write-export.ts'

export const exportAll = defineServiceCommand({
  name: 'export',
  summary: 'Write DAGs, users, keys and queues to a folder, as text',
  usage: ['FOLDER'],
  details:
    'FOLDER gets dags/, millrace.yaml (suspended DAGs, users and keys without their secrets, queues), and of\n' +
    'the settings that this command has: base.yaml and settings.env. A folder of an earlier export is brought\n' +
    'up to date, so that it can be kept in git. millrace import --from millrace FOLDER reads it back.\n' +
    'Runs are in millrace backup.',
  options: {},
  async run({ words: [folder = ''], output }, service) {
    const counts = await writeExport(service, folder, process.env)
    output.show(
      { folder, ...counts },
      `${folder} holds ${counts.dags} DAGs, ${counts.users} users, ${counts.keys} keys and ${counts.queues} queues`,
    )
  },
})
