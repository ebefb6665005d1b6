import * as v from 'valibot'
import { _addIssue as addIssue } from 'valibot'

/** Building blocks of the schemas of the format. The message of each schema continues "must be". */

const integerMax = 2_147_483_647

export const text = v.string('a text (in quotes, if it looks like a number, true or false)')

export const flag = v.boolean('true or false')

const wholeNumber = 'a whole number from 0 on'

/** A count, or a number of seconds or days. */
export const count = v.pipe(
  v.number(wholeNumber),
  v.integer(wholeNumber),
  v.minValue(0, wholeNumber),
  v.maxValue(integerMax, `at most ${integerMax}`),
)

export const integer = v.pipe(
  v.number('a whole number'),
  v.integer('a whole number'),
  v.minValue(-integerMax, `at least ${-integerMax}`),
  v.maxValue(integerMax, `at most ${integerMax}`),
)

/** A count that may also be written as text. */
export const countOrText = v.union(
  [count, v.pipe(v.string(), v.regex(/^\d{1,9}$/, wholeNumber))],
  wholeNumber,
)

/** Whether a text names a variable and runs no command. */
const holdsVariable = (text: string): boolean => text.includes('$') && !text.includes('`')

/** A number of seconds, whole or not; or a text with a variable, which each run evaluates. */
export const secondsOrText = v.union(
  [
    v.pipe(
      v.number('a number of seconds from 0 on'),
      v.minValue(0, 'a number of seconds from 0 on'),
      v.maxValue(integerMax, `at most ${integerMax}`),
    ),
    v.pipe(
      v.string(),
      v.check(
        (text) => /^\d{1,9}(?:\.\d{1,9})?$/.test(text) || holdsVariable(text),
        'a number of seconds from 0 on',
      ),
    ),
  ],
  'a number of seconds from 0 on',
)

/** A count, or a text with a variable, which each run evaluates. */
export const countOrVariable = v.union(
  [
    count,
    v.pipe(
      v.string(),
      v.check((text) => /^\d{1,9}$/.test(text) || holdsVariable(text), wholeNumber),
    ),
  ],
  wholeNumber,
)

const span = 'a span of time such as 90m, 6h or 1d12h, or a number of seconds'

/** See `durationSec`. */
export const duration = v.union(
  [count, v.pipe(v.string(), v.regex(/^(?=\d)(\d{1,6}d)?(\d{1,6}h)?(\d{1,6}m)?(\d{1,9}s)?$/, span))],
  span,
)

/** A value that is taken as text, as it is written. */
export const scalar = v.union([v.string(), v.number(), v.boolean()], 'a text or a number')

export const textOrList = v.union([text, v.array(text)], 'a text or a list of texts')

/** Restricts a schema for maps, because valibot also treats a list as an object. */
function noList<const T extends v.GenericSchema>(schema: T): T {
  return {
    ...schema,
    '~run'(dataset: Parameters<T['~run']>[0], config: Parameters<T['~run']>[1]) {
      if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config)
      addIssue(this, 'type', dataset, config)
      return dataset
    },
  }
}

/** Keys that valibot skips in a record. Here they are keys like any other. */
const passedOver = ['__proto__', 'prototype', 'constructor']

/** A map whose keys the author chooses. */
export function mapOf<const T extends v.GenericSchema>(value: T, wanted: string) {
  const map = noList(v.record(v.string(), value, wanted))
  return {
    ...map,
    '~run'(
      dataset: Parameters<(typeof map)['~run']>[0],
      config: Parameters<(typeof map)['~run']>[1],
    ): ReturnType<(typeof map)['~run']> {
      const input = dataset.value
      const result = map['~run'](dataset, config)
      if (typeof input !== 'object' || input === null || Array.isArray(input)) return result
      const issues = passedOver
        .filter((key) => Object.hasOwn(input, key))
        .flatMap((key) => issuesOf(value, input as Record<string, unknown>, key))
      if (issues.length === 0) return result
      return { typed: false, value: input, issues: [...(result.issues ?? []), ...issues] } as typeof result
    },
  }
}

function issuesOf(
  value: v.GenericSchema,
  input: Record<string, unknown>,
  key: string,
): v.BaseIssue<unknown>[] {
  const { issues = [] } = v.safeParse(value, input[key])
  const item: v.ObjectPathItem = { type: 'object', origin: 'value', input, key, value: input[key] }
  return issues.map((issue) => Object.assign(issue, { path: [item, ...(issue.path ?? [])] }))
}

/** A map with some known fields; other fields are kept as they are. */
export function openMap<const T extends v.ObjectEntries>(entries: T, wanted: string) {
  return noList(v.looseObject(entries, wanted))
}

/** A map from names to texts; the author chooses the names. */
export const textMap = mapOf(v.nullable(scalar), 'a map of names and texts')

/** A port, as a number or a text. */
export const port = v.union([count, v.string()], 'a port number')

const environmentWanted = 'a map of names and values, or a list of such maps and of NAME=value texts'

export const environment = v.union(
  [v.array(v.union([v.string(), textMap], 'NAME=value, or a map of names and values')), textMap],
  environmentWanted,
)

export interface KeyNames {
  /** Older and alternative names of fields. */
  readonly older?: Readonly<Record<string, string>>
  /**
   * Fields of the format that this service does not support, with the reason or an alternative (a sentence), if any.
   */
  readonly notOffered?: Readonly<Record<string, string>>
}

/**
 * A map with fixed fields. Their names match in any case, and in snake_case; see `shape.ts`.
 * @param what the kind of map with its article, as in "is not a field of a step"
 */
export function fields<const T extends v.ObjectEntries>(what: string, entries: T, names: KeyNames = {}) {
  return v.pipe(
    noList(v.strictObject(entries, `${what}, a map of its fields`)),
    v.metadata({ what, ...names }),
  )
}
