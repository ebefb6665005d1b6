import { wholeNumber } from '../command.ts'
import { defineServiceCommand } from '../service.ts'
import { runId, text } from '../table.ts'

const specLinesMax = 1_000

interface Row {
  readonly kind: 'dag' | 'step' | 'run' | 'line'
  readonly name: string
  readonly where: string
  readonly text: string
}

export const search = defineServiceCommand({
  name: 'search',
  summary: 'Find DAGs, steps and runs by their names and ids, and lines of specs',
  usage: ['TEXT…'],
  details: 'Steps and lines of specs are shown with their DAG and line number.',
  options: { limit: { value: 'COUNT', short: 'n', about: 'maximum number of each kind (20)' } },
  async run({ words, options, output }, service) {
    const limit = wholeNumber('limit', options.limit ?? '20', { from: 1, to: 50 })
    const q = words.join(' ')
    const [names, specs] = await Promise.all([
      service.ask('searchNames', { query: { q, limit } }),
      service.ask('searchDags', { query: { q } }),
    ])
    const lines = specs.results.flatMap(({ name, matches }) =>
      matches.slice(0, specLinesMax).map(({ line, lineNumber, startLine }) => ({
        name,
        lineNumber,
        text: (line.split('\n')[lineNumber - startLine] ?? '').trim(),
      })),
    )
    const rows: readonly Row[] = [
      ...names.dags.map((dag) => ({
        kind: 'dag' as const,
        name: dag.fileName,
        where: dag.group,
        text: dag.state,
      })),
      ...names.steps.map(({ fileName, step, line }) => ({
        kind: 'step' as const,
        name: step,
        where: `${fileName}${line === undefined ? '' : `:${line}`}`,
        text: '',
      })),
      ...names.runs.map((run) => ({
        kind: 'run' as const,
        name: run.dagRunId,
        where: run.name,
        text: run.statusLabel,
      })),
      ...lines.slice(0, limit).map((line) => ({
        kind: 'line' as const,
        name: line.name,
        where: `${line.name}:${line.lineNumber}`,
        text: line.text,
      })),
    ]
    output.table(
      rows,
      {
        kind: ({ kind }) => kind,
        name: runId(({ name }) => name),
        where: ({ where }) => where,
        text: text((row) => row.text),
      },
      `nothing contains ${JSON.stringify(q)}`,
    )
    return rows.length === 0 ? 1 : 0
  },
})
