import { defineCommand } from '../command.ts'
import { paramsOfWords } from '../params.ts'

export const plan = defineCommand({
  name: 'plan',
  summary: 'Show what a run of a DAG file would do, without a service and without doing it',
  usage: ['FILE [-- PARAM…]'],
  options: {},
  async run({ words: [file = ''], rest, output }) {
    const { planFile } = await import('../plan-file.ts')
    await planFile(file, paramsOfWords(rest), output)
  },
})
