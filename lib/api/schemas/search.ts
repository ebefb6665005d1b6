import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { BriefRun } from './dag.ts'

export const NamesQuery = v.object({
  q: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(
        limits.searchTextLengthMax,
        `must be at most ${limits.searchTextLengthMax} characters long`,
      ),
      v.description('In any case; without it, the first DAGs and the newest runs'),
    ),
  ),
  limit: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d?$/, `must be a whole number from 1 to ${limits.foundNamesMax}`),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.maxValue(limits.foundNamesMax, `must be at most ${limits.foundNamesMax}`),
      v.description('Results of each kind; 8 when absent'),
    ),
  ),
})

export const NamesAnswer = v.object({
  dags: v.pipe(
    v.array(
      v.object({
        fileName: v.string(),
        name: v.string(),
        group: v.string(),
        suspended: v.boolean(),
        state: v.pipe(
          v.string(),
          v.description('Status of its newest run, as a word; `never`: without a run'),
        ),
      }),
    ),
    v.description('DAGs with all words of the text in their names, group and tags'),
  ),
  runs: v.pipe(
    v.array(v.object({ name: v.string(), ...BriefRun.entries })),
    v.description(
      `Whose id begins with the text; or contains it, among the newest ${limits.searchedRunsMax}, from ` +
        `${limits.partOfIdLengthMin} characters on`,
    ),
  ),
  steps: v.pipe(
    v.array(
      v.object({
        fileName: v.string(),
        step: v.string(),
        line: v.exactOptional(
          v.pipe(v.number(), v.integer(), v.description('Its line in the spec, counted from 1')),
        ),
      }),
    ),
    v.description('Of DAGs, with the text in their name'),
  ),
})
