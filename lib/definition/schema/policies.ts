import * as v from 'valibot'
import {
  count,
  countOrText,
  countOrVariable,
  fields,
  flag,
  mapOf,
  scalar,
  secondsOrText,
  text,
} from './words.ts'

const exitCode = v.union(
  [
    v.pipe(v.number(), v.integer('a whole number')),
    v.pipe(v.string(), v.regex(/^-?\d{1,9}$/, 'a whole number')),
  ],
  'a whole number',
)

const exitCodes = v.union([exitCode, v.array(exitCode)], 'an exit code or a list of them')

const backoffWanted = 'true, false, or a number greater than 1'
const backoff = v.union([v.boolean(), v.number()], backoffWanted)

const retryFields = {
  limit: countOrVariable,
  intervalSec: secondsOrText,
  exitCode: v.optional(exitCodes),
  backoff: v.optional(backoff),
  maxIntervalSec: v.optional(countOrText),
}
const olderRetryFields = { interval: 'intervalSec', exitCodes: 'exitCode', maxInterval: 'maxIntervalSec' }

export const RetryPolicy = fields('a retry policy', retryFields, { older: olderRetryFields })

/** Of a whole DAG: it may only say that nothing is retried, for which it needs no interval. */
export const DagRetryPolicy = fields(
  'a retry policy',
  { ...retryFields, intervalSec: v.optional(secondsOrText) },
  { older: olderRetryFields },
)

export const RepeatPolicy = fields(
  'a repeat policy',
  {
    repeat: v.optional(
      v.union([v.boolean(), v.picklist(['while', 'until'], 'while or until')], 'true, false, while or until'),
    ),
    intervalSec: v.optional(countOrText),
    limit: v.optional(countOrText),
    condition: v.optional(text),
    expected: v.optional(text),
    negate: v.optional(flag),
    exitCode: v.optional(exitCodes),
    backoff: v.optional(backoff),
    maxIntervalSec: v.optional(countOrText),
  },
  { older: { interval: 'intervalSec', exitCodes: 'exitCode', maxInterval: 'maxIntervalSec' } },
)

export const ContinueOn = v.union(
  [
    v.picklist(['failed', 'failure', 'skipped'], 'failed or skipped'),
    fields(
      'continueOn',
      {
        failure: v.optional(flag),
        skipped: v.optional(flag),
        exitCode: v.optional(exitCodes),
        output: v.optional(v.union([text, v.array(text)], 'a text or a list of texts')),
        markSuccess: v.optional(flag),
      },
      { older: { failed: 'failure', exitCodes: 'exitCode' } },
    ),
  ],
  'failed, skipped, or a map of failure, skipped, exitCode, output and markSuccess',
)

const Condition = fields(
  'a condition',
  {
    condition: text,
    expected: v.optional(text),
    negate: v.optional(flag),
  },
  { older: { command: 'condition' }, notOffered: { error: '', matched: '' } },
)

export const Conditions = v.union(
  [text, Condition, v.array(v.union([text, Condition], 'a command, or a map of condition and expected'))],
  'a command, a map of condition and expected, or a list of these',
)

export const Output = v.union(
  [
    text,
    fields(
      'an output',
      { name: text, key: v.optional(text), omit: v.optional(flag) },
      {
        notOffered: { schema: '' },
      },
    ),
  ],
  'the name of a variable, or a map of name, key and omit',
)

export const Parallel = v.union(
  [
    text,
    v.array(v.any()),
    fields('parallel', {
      items: v.union([text, v.array(v.any())], 'a list, or a text with a variable'),
      maxConcurrent: v.optional(count),
    }),
  ],
  'a list, a text with a variable, or a map of items and maxConcurrent',
)

/** Params of a child, and of the DAG itself: text, a list, or a map. */
export const Params = v.union(
  [
    text,
    v.array(v.union([scalar, mapOf(v.any(), 'a map')], 'a value, or a map of names and values')),
    mapOf(v.any(), 'a map'),
  ],
  'a text, a list, or a map of names and values',
)
