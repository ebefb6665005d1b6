import * as v from 'valibot'
import { readRunStatus, runStatusCode, runStatusHelp } from '#lib/core/status.ts'

/** A whole number in a query. Values out of range are accepted here; the verb clamps them. */
export const WholeNumber = v.pipe(
  v.string(),
  v.regex(/^-?\d{1,15}$/, 'must be an integer'),
  v.toNumber(),
  v.number(),
  v.integer(),
)

export const UnixSeconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,11}$/, 'must be a Unix timestamp in seconds'),
  v.toNumber(),
  v.number(),
  v.integer(),
  v.description('Seconds since 1970'),
)

/** A status of runs in a query: its number, or a word for it. */
export const RunStatusFilter = v.pipe(
  v.string(),
  v.check((text) => statusCode(text) !== undefined, statusRule),
  v.transform((text) => statusCode(text) ?? 0),
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(8),
  v.description(
    `A number; or a word: ${runStatusHelp}, or as other clients and the service log have it. No run has 7 or 8`,
  ),
)

/** Several statuses in a query, as a list of {@link RunStatusFilter}; `statusCodes` reads it. */
export const RunStatusesFilter = v.pipe(
  v.string(),
  v.check((text) => text.split(',').every((part) => statusCode(part) !== undefined), statusesRule),
  v.transform((text): string | number => text),
  v.union([v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8)), v.string()]),
  v.description(
    `A number; or a word: ${runStatusHelp}, or as other clients and the service log have it; or several of them, ` +
      'with commas between. No run has 7 or 8',
  ),
)

export const isStatusWord = (word: string): boolean => statusCode(word) !== undefined

/** The numbers of a value of {@link RunStatusesFilter}. */
export const statusCodes = (value: string | number): number[] =>
  String(value)
    .split(',')
    .flatMap((part) => statusCode(part) ?? [])

function statusesRule(issue: { readonly input: string }): string {
  const faulty = issue.input.split(',').find((part) => statusCode(part) === undefined) ?? ''
  return statusRule({ input: faulty })
}

function statusCode(text: string): number | undefined {
  if (/^[0-8]$/.test(text)) return Number(text)
  const read = readRunStatus(text)
  return 'status' in read ? runStatusCode(read.status) : undefined
}

function statusRule({ input }: { readonly input: string }): string {
  const read = readRunStatus(input)
  const guess = 'nearest' in read && read.nearest !== undefined ? ` (did you mean ${read.nearest}?)` : ''
  return `must be an integer from 0 to 8, or ${runStatusHelp}${guess}`
}

export const StepStatusCode = v.pipe(
  v.number('must be an integer from 0 to 5'),
  v.integer('must be an integer from 0 to 5'),
  v.minValue(0, 'must be an integer from 0 to 5'),
  v.maxValue(5, 'must be an integer from 0 to 5'),
  v.description('0 not started, 1 running, 2 failed, 3 cancelled, 4 success, 5 skipped'),
)
