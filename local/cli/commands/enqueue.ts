import { beginOptions, beginRun } from '../begin-run.ts'
import { defineServiceCommand } from '../service.ts'
import { waitDetails } from '../wait-for-run.ts'

export const enqueue = defineServiceCommand({
  name: 'enqueue',
  summary: 'Queue a run of a DAG and print its id',
  usage: ['DAG [-- PARAM…]'],
  details: waitDetails,
  options: { ...beginOptions, queue: { value: 'NAME', about: 'the queue (default: that of the DAG)' } },
  run: (input, service) => beginRun(service, input, { operation: 'enqueueDag', queue: input.options.queue }),
})
