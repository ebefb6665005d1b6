import { beginOptions, beginRun } from '../begin-run.ts'
import { defineServiceCommand } from '../service.ts'
import { waitDetails } from '../wait-for-run.ts'

export const enqueue = defineServiceCommand({
  name: 'enqueue',
  summary: 'Place a run of a DAG on a queue, and print its id',
  usage: ['DAG [-- PARAM…]'],
  details: waitDetails,
  options: { ...beginOptions, queue: { value: 'NAME', about: 'the queue; that of the DAG when absent' } },
  run: (input, service) => beginRun(service, input, { operation: 'enqueueDag', queue: input.options.queue }),
})
