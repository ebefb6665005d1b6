import { UsageError } from '../command.ts'
import { confirm } from '../confirm.ts'
import { withDag } from '../find-dag.ts'
import { defineServiceCommand } from '../service.ts'

export const deleteDag = defineServiceCommand({
  name: 'delete',
  summary: 'Delete a DAG; its runs stay in the history',
  usage: ['DAG'],
  details: 'A terminal asks first. To keep a copy of the text, use millrace show DAG --spec.',
  options: { yes: { short: 'y', about: 'do not ask' } },
  async run({ words: [word = ''], options, output }, service) {
    await withDag(service, word, async (fileName) => {
      await service.ask('getDagSpec', { params: { fileName } })
      if (!options.yes && !(await confirm(`Delete ${fileName}?`))) {
        if (process.stdin.isTTY) throw new Error(`${fileName} is not deleted`)
        throw new UsageError('there is no terminal to ask on; pass --yes')
      }
      await service.ask('deleteDag', { params: { fileName } })
      output.show({ dag: fileName, deleted: true }, `${fileName} is deleted`)
    })
  },
})
