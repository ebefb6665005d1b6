import { withDag } from '../find-dag.ts'
import { defineServiceCommand } from '../service.ts'

export const resume = defineServiceCommand({
  name: 'resume',
  summary: 'Resume the schedule of a DAG',
  usage: ['DAG'],
  options: {},
  async run({ words: [dag = ''], output }, service) {
    await withDag(service, dag, (fileName) =>
      service.ask('suspendDag', { params: { fileName }, body: { suspend: false } }),
    )
    output.show({ dag, suspended: false }, `${dag} is resumed`)
  },
})
