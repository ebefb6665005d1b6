import { defineServiceCommand } from '../service.ts'
import { messageOption } from '../versions.ts'

export const edit = defineServiceCommand({
  name: 'edit',
  summary: 'Edit a DAG in $VISUAL or $EDITOR',
  usage: ['DAG'],
  details:
    'A text with faults is not saved: the faults are shown, and a terminal offers to go on editing. When somebody\n' +
    'else has saved the DAG meanwhile, nothing is saved, and the text stays in a file.',
  options: { message: messageOption },
  async run({ words: [dag = ''], options: { message }, output }, service) {
    const { editDag } = await import('../edit-dag.ts')
    return await editDag(service, { dag, message }, output)
  },
})
