import * as v from 'valibot'
import { runStatuses } from '#lib/core/status.ts'
import { WholeNumber, statusCodes, isStatusWord } from './numbers.ts'
import { QueryWords } from './run-filter.ts'

const isDagState = (word: string): boolean => word === 'never' || isStatusWord(word)

const DagStates = v.exactOptional(
  v.pipe(
    v.string(),
    v.check(
      (text) => text.split(',').every(isDagState),
      'must be statuses of runs, or never, separated by commas',
    ),
    v.description(
      'Statuses of the newest run, as numbers or words, separated by commas; `never`: DAGs without a run',
    ),
  ),
)

const Flag = (description: string) =>
  v.exactOptional(v.pipe(v.picklist(['true', 'false'], 'must be true or false'), v.description(description)))

/** What a list of DAGs is narrowed by. */
export const DagChoiceEntries = {
  name: v.exactOptional(v.pipe(v.string(), v.description('Part of the file name, in any case'))),
  tag: v.exactOptional(v.pipe(v.string(), v.description('A tag, in any case'))),
  group: v.exactOptional(v.pipe(v.string(), v.description('A group'))),
  state: DagStates,
  suspended: Flag('true: only suspended DAGs; false: only the others'),
  errors: Flag('true: only DAGs with errors in their text; false: only the others'),
  q: QueryWords(
    'Words, each a part of the name of the file, of the DAG, of its group or of a tag, in any case',
  ),
}

/** What a list of DAGs is narrowed by, and how it is ordered. */
export const DagFilterEntries = {
  page: v.exactOptional(WholeNumber),
  perPage: v.exactOptional(WholeNumber),
  ...DagChoiceEntries,
  sort: v.exactOptional(
    v.pipe(
      v.picklist(
        ['name', 'last', 'next', 'nextRun', 'state', 'duration'],
        'must be name, last, next, state or duration',
      ),
      v.description(
        'By name; by start, status or duration of the newest run; by the next scheduled start (`next`, `nextRun`). ' +
          'DAGs without the value come last. `failed` sorts first',
      ),
    ),
  ),
  runs: v.exactOptional(v.pipe(WholeNumber, v.description('Newest runs of each DAG to show, at most 30'))),
  order: v.exactOptional(v.picklist(['asc', 'desc'], 'must be asc or desc')),
}

type Ordered = v.InferOutput<v.ObjectSchema<typeof DagFilterEntries, undefined>>
type Chosen = v.InferOutput<v.ObjectSchema<typeof DagChoiceEntries, undefined>>

/** What a query with {@link DagFilterEntries} means to the verb. */
export function dagListOf({ state, suspended, errors, sort, ...rest }: Chosen & Partial<Ordered>) {
  return {
    ...rest,
    ...(state !== undefined && { states: state.split(',').map(dagState) }),
    ...(suspended !== undefined && { suspended: suspended === 'true' }),
    ...(errors !== undefined && { hasErrors: errors === 'true' }),
    ...(sort !== undefined && { sort: sort === 'nextRun' ? ('next' as const) : sort }),
  }
}

/** A number of no status matches no DAG. */
function dagState(word: string) {
  if (word === 'never') return 'never'
  const [code = 0] = statusCodes(word)
  return runStatuses[code] ?? 'none'
}
