import type { Answer } from '#lib/client/client.ts'
import { durationText } from '#lib/core/duration-text.ts'
import { wholeNumber } from '../command.ts'
import { plain, type Output } from '../output.ts'
import { defineServiceCommand } from '../service.ts'

type Overview = Extract<Answer<'getOverview'>, { status: 200 }>['body']

export const overview = defineServiceCommand({
  name: 'overview',
  summary: 'Show what is running, what fails most, what is next and what is late',
  usage: [''],
  options: {
    hours: { value: 'N', about: 'count the runs of the last N hours, at most 720 (24)' },
  },
  async run({ options, output }, service) {
    const hours = wholeNumber('hours', options.hours ?? '24', { from: 1, to: 720 })
    const answer = await service.ask('getOverview', { query: { hours } })
    output.show(answer, linesOf(answer, hours, output).join('\n'))
  },
})

function linesOf(overview: Overview, hours: number, output: Output): string[] {
  const { running, queued, oldestWaitMs, runners, ended, before, failing, longest, next, late } = overview
  const waits = oldestWaitMs === undefined ? '' : `, the oldest for ${durationText(oldestWaitMs)}`
  const usual = (p95Ms: number | undefined): string =>
    p95Ms === undefined ? '' : ` (95 % within ${durationText(p95Ms)})`
  return [
    `now: ${running} running, ${queued} waiting${waits}`,
    `runners: ${runners.live}, ${runners.busy} busy, ${runners.used} of ${runners.slots} slots used`,
    `last ${hours} h: ${ended.succeeded} succeeded, ${ended.failed} failed, ${ended.cancelled} cancelled`,
    `${hours} h before: ${before.succeeded} succeeded, ${before.failed} failed, ${before.cancelled} cancelled`,
    ...section(
      'fails most',
      failing.map(({ name, failed, newestRunId }) => `${name}  ${failed} failed, newest ${newestRunId}`),
    ),
    ...section(
      'runs longest',
      longest.map(
        ({ name, dagRunId, ms, p95Ms }) => `${name} ${dagRunId}  ${durationText(ms)}${usual(p95Ms)}`,
      ),
    ),
    ...section(
      'next',
      next.map(({ fileName, at }) => `${output.time(at)}  ${fileName}`),
    ),
    ...section(
      'late',
      late.map(({ fileName, at }) => `${output.time(at)}  ${fileName}`),
    ),
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${plain(line)}`)]
}
