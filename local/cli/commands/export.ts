import { defineServiceCommand } from '../service.ts'
import { writeExport } from '../write-export.ts'

export const exportAll = defineServiceCommand({
  name: 'export',
  summary: 'Write DAGs, users, keys and queues to a folder, as text',
  usage: ['FOLDER'],
  details:
    'FOLDER gets dags/ and millrace.yaml (suspended DAGs, users and keys without their secrets, queues). It also\n' +
    'gets the settings of this command as base.yaml and settings.env. A folder of an earlier export is\n' +
    'updated, so you can keep it in git. millrace import --from millrace FOLDER reads it back.\n' +
    'Runs are not included: use millrace backup.',
  options: {},
  async run({ words: [folder = ''], output }, service) {
    const counts = await writeExport(service, folder, process.env)
    output.show(
      { folder, ...counts },
      `${folder} contains ${counts.dags} DAGs, ${counts.users} users, ${counts.keys} keys and ${counts.queues} queues`,
    )
  },
})
