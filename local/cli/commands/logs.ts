import { limits } from '#lib/core/limits.ts'
import { nearestName } from '#lib/core/nearest-name.ts'
import { UsageError, wholeNumber, type Input } from '../command.ts'
import { findRun, runHelp, runUsage } from '../find-run.ts'
import { followSteps } from '../follow-steps.ts'
import { readLog, type LogSource } from '../log-source.ts'
import { showMerged } from '../merged-log.ts'
import type { Output } from '../output.ts'
import { childOption, errorLine, findChild, nodesOf, type RunDetails } from '../runs.ts'
import { defineServiceCommand, type Service } from '../service.ts'
import { showAttempts } from '../show-attempts.ts'
import type { StepView } from '../show-steps.ts'

const failedLines = 50
const attemptMax = 1_000_000

const options = {
  step: {
    value: 'STEP',
    short: 's',
    about: 'only this step, or handler (onExit …), without its name before each line',
  },
  failed: { about: `only failed steps, the last ${failedLines} lines of each` },
  merged: { about: 'in chronological order instead of step by step, with the time of each line' },
  stderr: { about: 'only standard error' },
  events: { about: 'show the events of the run instead of the output of its steps' },
  attempt: { value: 'NUMBER', about: 'only this attempt of a retried run, from 1' },
  child: childOption,
  follow: { short: 'f', about: 'follow the log until the run or the step ends' },
  tail: { value: 'COUNT', about: 'only the last COUNT lines of each log' },
} as const

export const logs = defineServiceCommand({
  name: 'logs',
  summary: 'Show what the steps of a run printed',
  usage: runUsage,
  details:
    `${runHelp}\n` +
    'Steps appear in the order in which they started, with the step name before each line. With --step, lines\n' +
    'have no prefix, and standard error goes to standard error. The attempts of a retried run appear one after the\n' +
    'other, each below a heading; --step, --failed and --events show the latest.',
  options,
  async run(input, service) {
    const { output } = input
    const { step, child, follow, tail, attempt, events, merged } = checked(input.options)
    const root = await findRun(service, input.words)
    const run = child === undefined ? root : await findChild(service, root, child)
    const last =
      tail === undefined ? undefined : wholeNumber('tail', tail, { from: 1, to: limits.logLinesMax })
    const view: StepView = {
      streams: input.options.stderr ? ['stderr'] : ['stdout', 'stderr'],
      last: last ?? (input.options.failed ? failedLines : undefined),
      attempt:
        attempt === undefined ? undefined : wholeNumber('attempt', attempt, { from: 1, to: attemptMax }),
    }
    const below = run === root ? undefined : run.dagRunId
    const source = { name: root.name, dagRunId: root.dagRunId, child: below, attempt: view.attempt }
    const how = { last, follow, write: output.write }
    if (events) return await showLog(service, { ...source, stream: 'stdout' }, how, output)
    if (merged) {
      const stream = input.options.stderr ? 'stderr' : undefined
      return await showMerged(service, { ...source, step, stream }, last, output)
    }
    if (step !== undefined) {
      const streams = streamsOfStep(run, step, view.streams)
      await Promise.all(
        streams.map((stream) => {
          const write = stream === 'stderr' && streams.length > 1 ? output.writeError : output.write
          return showLog(service, { ...source, step, stream }, { ...how, write }, output)
        }),
      )
      return
    }
    if (follow) return await followSteps(service, root, view, output)
    const isAny = await showAttempts(service, { root, run, failedOnly: input.options.failed }, view, output)
    if (isAny) return
    if (run.error !== '') output.writeError(`${run.statusLabel}: ${errorLine(run.error)}\n`)
    else output.note(`${run.statusLabel}: no step has ${input.options.failed ? 'failed' : 'started'}`)
  },
})

type Given = Input<typeof options>['options']

/** @throws UsageError for options that contradict each other */
function checked(given: Given): Given {
  const rivals: readonly (readonly [keyof Given, keyof Given])[] = [
    ['follow', 'child'],
    ['follow', 'tail'],
    ['follow', 'attempt'],
    ['follow', 'failed'],
    ['merged', 'follow'],
    ['merged', 'events'],
    ['merged', 'failed'],
    ['events', 'step'],
    ['events', 'failed'],
    ['events', 'stderr'],
    ['failed', 'step'],
    ['failed', 'attempt'],
  ]
  for (const [one, other] of rivals) {
    const isGiven = (name: keyof Given): boolean => given[name] !== undefined && given[name] !== false
    if (isGiven(one) && isGiven(other)) throw new UsageError(`--${one} and --${other} do not go together`)
  }
  return given
}

/** @throws Error with the nearest name when the run has no such step */
function streamsOfStep(run: RunDetails, step: string, wanted: StepView['streams']): StepView['streams'] {
  const nodes = nodesOf(run)
  const node = nodes.find((one) => one.step.name === step)
  if (node === undefined) {
    const nearest = nearestName(
      step,
      nodes.map((one) => one.step.name),
    )
    const guess = nearest === undefined ? '' : `; did you mean ${nearest}?`
    throw new Error(`step ${JSON.stringify(step)} not found${guess}`)
  }
  // Both names are empty before the step has started.
  return node.stdout === node.stderr && node.stdout !== '' ? ['stdout'] : wanted
}

interface Showing {
  readonly last: number | undefined
  readonly follow: boolean
  readonly write: (text: string) => void
}

async function showLog(
  service: Service,
  source: LogSource,
  { last, follow, write }: Showing,
  output: Output,
): Promise<void> {
  const { name, dagRunId, step, stream } = source
  const about = step === undefined ? {} : { step, stream }
  const show = (lines: readonly string[]): void => {
    if (output.isJson) for (const line of lines) output.show({ ...about, line }, line)
    else if (lines.length > 0) write(`${lines.join('\n')}\n`)
  }
  if (!follow) {
    for await (const { lines } of readLog(service, source, last)) show(lines)
    return
  }
  const run = { name, dagRunId }
  const events =
    step === undefined
      ? service.follow('followDagRunLog', { params: run })
      : service.follow('followStepLog', { params: { ...run, stepName: step }, query: { stream } })
  for await (const { event, data } of events) {
    if (event === 'lines') show((data as { lines: string[] }).lines)
    if (event !== 'part') continue
    const { text } = data as { text: string }
    if (output.isJson) output.show({ ...about, part: text }, '')
    else write(text)
  }
}
