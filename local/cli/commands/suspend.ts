import { defineServiceCommand } from '../service.ts'

export const suspend = defineServiceCommand({
  name: 'suspend',
  summary: 'Suspend the schedule of a DAG',
  usage: ['DAG'],
  options: {},
  async run({ words: [dag = ''], output }, service) {
    await service.ask('suspendDag', { params: { fileName: dag }, body: { suspend: true } })
    output.show({ dag, suspended: true }, `${dag} is suspended`)
  },
})
