import * as v from 'valibot'

export const milliseconds = v.exactOptional(
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Milliseconds since 1970')),
)

const number = (what: string) => v.pipe(v.number(), v.integer(), v.description(what))

export const StepTries = v.pipe(
  v.array(
    v.object({
      attempt: number('Of the run'),
      number: number('Within the attempt, from 1'),
      startedAtMs: milliseconds,
      finishedAtMs: milliseconds,
      exitCode: v.exactOptional(v.pipe(v.number(), v.integer())),
      error: v.pipe(v.string(), v.description('At most 200 characters')),
      logLine: v.exactOptional(
        number('Line of standard output at which it began to write; absent: the first'),
      ),
    }),
  ),
  v.description(
    'Finished tries of a step with more than one, oldest first: the latest 100 of the attempt, and ' +
      '100 of those before',
  ),
)
