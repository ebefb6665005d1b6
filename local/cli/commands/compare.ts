import { differencesOf, specChanges } from '../compare-runs.ts'
import { UsageError } from '../command.ts'
import { findRun } from '../find-run.ts'
import type { RunDetails } from '../runs.ts'
import { defineServiceCommand, type Service } from '../service.ts'
import { text } from '../table.ts'

export const compare = defineServiceCommand({
  name: 'compare',
  summary: 'Show what differs between two runs: states, durations, params, outputs, spec',
  usage: ['RUN RUN', 'RUN'],
  details:
    'A RUN is an id, the beginning of one, or DAG/ID, DAG/latest, DAG/latest:failed.\n' +
    'A single RUN that did not succeed is compared with the last success before it.',
  options: {},
  async run({ words: [first = '', second], output }, service) {
    const [before, after] = await twoRuns(service, first, second)
    const specOf = async ({ name, dagRunId }: RunDetails): Promise<string> =>
      (await service.ask('getDagRunSpec', { params: { name, dagRunId } })).spec
    const [old, fresh] = await Promise.all([specOf(before), specOf(after)])
    const differences = differencesOf(before, after)
    const changes = specChanges(old, fresh)
    const nameOf = ({ name, dagRunId }: RunDetails): string => `${name} ${dagRunId}`
    if (output.isJson) {
      const runs = { before: nameOf(before), after: nameOf(after) }
      output.show({ ...runs, differences, specChanges: changes ?? null }, '')
      return
    }
    output.write(`before: ${nameOf(before)}\nafter:  ${nameOf(after)}\n\n`)
    output.table(
      differences,
      {
        what: ({ what }) => what,
        before: text((row) => row.before),
        after: text((row) => row.after),
      },
      'the runs do not differ',
    )
    if (changes === undefined) output.write('\nspec: too much has changed to compare it\n')
    else if (changes.length === 0) output.write('\nspec: the same\n')
    else output.write(`\nspec:\n${changes.join('\n')}\n`)
  },
})

async function twoRuns(
  service: Service,
  first: string,
  second: string | undefined,
): Promise<readonly [RunDetails, RunDetails]> {
  const found = (word: string): Promise<RunDetails> => findRun(service, word.split('/'), { mustSayRun: true })
  if (second !== undefined) return [await found(first), await found(second)]
  const run = await found(first)
  if (run.lastSuccess === undefined)
    throw new UsageError('name the other RUN: there is no success before this one')
  return [await findRun(service, [run.name, run.lastSuccess.dagRunId]), run]
}
