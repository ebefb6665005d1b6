import type { Operations } from '#lib/client/api-types.gen.ts'
import { withDag } from '../find-dag.ts'
import { nextFires, type NextFires } from '../next-fires.ts'
import { plain, type Output } from '../output.ts'
import { took } from '../runs.ts'
import { defineServiceCommand } from '../service.ts'

type Dag = Operations['getDag']['responses'][200]

export const show = defineServiceCommand({
  name: 'show',
  summary: 'Show a DAG: schedule, next fires, params, steps; or its text',
  usage: ['DAG'],
  options: { spec: { about: 'the text, as it was saved' } },
  async run({ words: [word = ''], options, output }, service) {
    await withDag(service, word, async (fileName) => {
      if (options.spec) {
        const { spec } = await service.ask('getDagSpec', { params: { fileName } })
        if (output.isJson) output.show({ spec }, spec)
        else output.write(spec.endsWith('\n') ? spec : `${spec}\n`)
        return
      }
      const answer = await service.ask('getDag', { params: { fileName } })
      const next: NextFires =
        answer.dag.schedule.length > 0 ? await nextFires(service, fileName) : { fires: [] }
      output.show({ ...answer, nextFires: next.fires }, textOf(fileName, answer, next, output).join('\n'))
    })
  },
})

function textOf(
  fileName: string,
  { dag, suspended, errors, latestDAGRun: latest }: Dag,
  { fires, fault }: NextFires,
  output: Output,
): string[] {
  const rows: readonly (readonly [string, string])[] = [
    ['name', dag.name === fileName ? '' : dag.name],
    ['about', dag.description],
    ['group', dag.group],
    ['tags', dag.tags.join(', ')],
    ['queue', dag.queue ?? ''],
    [
      'schedule',
      dag.schedule.map(({ expression }) => expression).join(', ') + (suspended ? ' (suspended)' : ''),
    ],
    ['next', fault ?? fires.slice(0, 3).map(output.time).join(', ')],
    ['params', dag.defaultParams || dag.params.join(' ')],
    ['latest', latest === undefined || latest.dagRunId === '' ? '' : latestText(latest, output)],
  ]
  const width = Math.max(...rows.map(([title]) => title.length))
  const names = Math.max(0, ...dag.steps.map(({ name }) => name.length))
  return [
    output.style('bold', plain(fileName)),
    ...rows.flatMap(([title, value]) => (value === '' ? [] : [`  ${title.padEnd(width)}  ${plain(value)}`])),
    ...errors.map((error) => `  ${output.style('red', `fault: ${plain(error)}`)}`),
    '  steps',
    ...dag.steps.map((step) => `    ${plain(step.name).padEnd(names)}  ${workOf(step)}`.trimEnd()),
    ...Object.entries(dag.handlerOn).map(([when, step]) => `    on ${when}: ${workOf(step)}`),
  ]
}

function latestText(run: NonNullable<Dag['latestDAGRun']>, output: Output): string {
  return `${run.dagRunId} ${run.statusLabel}, started ${output.time(run.startedAt)}, took ${took(run)}`
}

type Step = Dag['dag']['steps'][number]

/** The service splits commands into words without their quotes. */
const asWord = (word: string): string => (/\s/.test(word) ? JSON.stringify(word) : word)

function workOf({
  run,
  script,
  commands,
  command,
  args,
  executorConfig,
  depends,
  description,
}: Step): string {
  const type = executorConfig?.type ?? ''
  const lines = commands?.map((one) => [one.command, ...one.args].map(asWord).join(' ')).join('; ')
  const work = run === '' ? (script ?? (lines || [command, ...args].map(asWord).join(' '))) : `runs ${run}`
  const isShell = type === '' || type === 'shell' || run !== ''
  const [first = '', ...more] = work.trim().split('\n')
  const shown = `${isShell ? '' : `${type}: `}${first}${more.length > 0 ? ' …' : ''}`
  const after = depends.length > 0 ? `  (after ${depends.join(', ')})` : ''
  return plain(`${shown}${after}${description === '' ? '' : `  # ${description}`}`)
}
