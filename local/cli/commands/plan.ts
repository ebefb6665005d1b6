import { defineCommand, utcOption } from '../command.ts'
import { paramsOfWords } from '../params.ts'
import { namedService, placeDetails, placeOptions } from '../service.ts'

export const plan = defineCommand({
  name: 'plan',
  summary: 'Show what a run of a DAG file would do, without a service',
  usage: ['FILE [-- PARAM…]'],
  details: `FILE is on this machine; of a stored DAG, millrace show DAG --spec prints the text. ${placeDetails}`,
  options: { ...placeOptions, utc: utcOption },
  async run({ words: [file = ''], options, rest, output }) {
    const { planFile } = await import('../plan-file.ts')
    await planFile(file, { params: paramsOfWords(rest), service: namedService(options) }, output)
  },
})
