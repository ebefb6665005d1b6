import { defineCommand, utcOption } from '../command.ts'
import { paramsOfWords } from '../params.ts'

export const plan = defineCommand({
  name: 'plan',
  summary: 'Show what a run of a DAG file would do; needs no service',
  usage: ['FILE [-- PARAM…]'],
  options: { utc: utcOption },
  async run({ words: [file = ''], rest, output }) {
    const { planFile } = await import('../plan-file.ts')
    await planFile(file, paramsOfWords(rest), output)
  },
})
