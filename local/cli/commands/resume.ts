import { defineServiceCommand } from '../service.ts'

export const resume = defineServiceCommand({
  name: 'resume',
  summary: 'Resume the schedule of a DAG',
  usage: ['DAG'],
  options: {},
  async run({ words: [dag = ''], output }, service) {
    await service.ask('suspendDag', { params: { fileName: dag }, body: { suspend: false } })
    output.show({ dag, suspended: false }, `${dag} is resumed`)
  },
})
