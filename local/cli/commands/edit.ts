import { defineServiceCommand } from '../service.ts'
import { messageOption } from '../versions.ts'

export const edit = defineServiceCommand({
  name: 'edit',
  summary: 'Edit a DAG in $VISUAL or $EDITOR',
  usage: ['DAG'],
  details:
    'A text with errors is not saved: the errors are shown, and a terminal offers to continue editing. If somebody\n' +
    'else has saved the DAG in the meantime, nothing is saved, and your text is kept in a file.',
  options: { message: messageOption },
  async run({ words: [dag = ''], options: { message }, output }, service) {
    const { editDag } = await import('../edit-dag.ts')
    return await editDag(service, { dag, message }, output)
  },
})
