import { setSchedules } from '../set-schedules.ts'
import { defineServiceCommand } from '../service.ts'

export const suspend = defineServiceCommand({
  name: 'suspend',
  summary: 'Suspend the schedule of a DAG, or of several',
  usage: ['DAG…'],
  options: {},
  run: ({ words, output }, service) => setSchedules(service, { dags: words, suspended: true }, output),
})
