import { beginOptions, beginRun } from '../begin-run.ts'
import { defineServiceCommand } from '../service.ts'
import { waitDetails } from '../wait-for-run.ts'

export const start = defineServiceCommand({
  name: 'start',
  summary: 'Start a run of a DAG and print its id',
  usage: ['DAG [-- PARAM…]'],
  details:
    'A PARAM is NAME=value, or a value for the next positional param. A single PARAM may be a JSON object.\n' +
    waitDetails,
  options: beginOptions,
  run: (input, service) => beginRun(service, input, { operation: 'startDag' }),
})
