import { withDag } from '../find-dag.ts'
import { plain } from '../output.ts'
import { defineServiceCommand } from '../service.ts'
import { messageOption, readVersion } from '../versions.ts'

export const revert = defineServiceCommand({
  name: 'revert',
  summary: 'Restore an earlier version of a DAG, or a deleted DAG',
  usage: ['DAG VERSION'],
  details:
    'This creates a new version, so you can undo it as well. millrace diff DAG VERSION shows what differs.',
  options: { message: messageOption },
  async run({ words: [dag = '', word = ''], options: { message }, output }, service) {
    const from = readVersion(word)
    await withDag(service, dag, async (fileName) => {
      const { version, warnings } = await service.ask('restoreDagVersion', {
        params: { fileName, version: from },
        body: message === undefined ? {} : { message },
      })
      const notes = warnings.map((warning) => `  warning: ${plain(warning.message)}`)
      const done = `${fileName} has the text of version ${from} again, as version ${version}`
      output.show({ dag: fileName, restored: from, version, warnings }, [done, ...notes].join('\n'))
    })
  },
})
