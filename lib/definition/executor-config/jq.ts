import * as v from 'valibot'
import { fields, flag } from '../schema/words.ts'

export const Jq = fields('the config of a jq step', { raw: v.optional(flag) })

export type JqConfig = v.InferOutput<typeof Jq>
