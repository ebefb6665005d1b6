import { withDag } from '../find-dag.ts'
import { defineServiceCommand } from '../service.ts'

export const suspend = defineServiceCommand({
  name: 'suspend',
  summary: 'Suspend the schedule of a DAG',
  usage: ['DAG'],
  options: {},
  async run({ words: [dag = ''], output }, service) {
    await withDag(service, dag, (fileName) =>
      service.ask('suspendDag', { params: { fileName }, body: { suspend: true } }),
    )
    output.show({ dag, suspended: true }, `${dag} is suspended`)
  },
})
