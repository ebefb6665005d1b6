import * as v from 'valibot'
import { readShape } from '../reading/shape.ts'
import { fields, flag } from '../schema/words.ts'
import { lenient, type ExecutorRecord } from './record.ts'

const Jq = fields('the config of a jq step', { raw: v.optional(flag) })

export type JqConfig = v.InferOutput<typeof Jq>

export const jq: ExecutorRecord = {
  spellings: [],
  description: 'applies a jq filter to JSON',
  config: Jq,
  command: 'one',
  script: 'work',
  texts: 'filter',
  lacking: 'needs command, the filter',
  readConfig: ({ at }) => readShape(Jq, at, lenient).value ?? {},
}
