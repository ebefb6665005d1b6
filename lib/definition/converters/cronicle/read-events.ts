import { stringify } from 'yaml'
import { parseCron } from '#lib/definition/schedules/parse-cron.ts'
import { literalText } from '#lib/definition/values/literal-text.ts'
import { listOf, mapOf, textOf, type PlainMap } from '../plain-value.ts'
import { DagNames, numbersField, withoutAliases, type Converted } from '../converted.ts'
import type { CronicleEvent } from './read-export.ts'

const used = new Set(
  (
    'id title enabled category plugin params timing timezone timeout retries retry_delay ' +
    'max_children catch_up notify_fail notify_success notes target multiplex created modified ' +
    'username algo queue_max detached log_max_size session_id'
  ).split(' '),
)

interface Event extends Converted {
  /** It does not fire in Cronicle. */
  readonly isDisabled: boolean
}

/** Makes a DAG of each event of Cronicle: those of the shell plugin and of the HTTP plugin. */
export function readEvents(events: readonly CronicleEvent[]): Event[] {
  const names = new DagNames()
  return events.map((event) => {
    const name = names.take(textOf(event['title']).toLowerCase() || textOf(event['id']), 'event')
    return { name, isDisabled: textOf(event['enabled']) === '0', ...dagOf(event) }
  })
}

function dagOf(event: CronicleEvent): Omit<Converted, 'name'> {
  const reading = scheduleOf(event)
  if ('fault' in reading) return { schedule: '', notes: [], fault: reading.fault }
  const { schedule } = reading
  const step = stepOf(event)
  if ('fault' in step) return { schedule, notes: [], fault: step.fault }
  const retries = Number(textOf(event['retries']))
  const most = Number(textOf(event['max_children']))
  const [failed, succeeded] = [textOf(event['notify_fail']), textOf(event['notify_success'])].map((text) =>
    text.trim(),
  )
  const seconds = Number(textOf(event['timeout']))
  const spec = stringify(
    {
      ...(textOf(event['notes']) !== '' && { description: literalText(textOf(event['notes'])) }),
      ...(schedule !== '' && { schedule }),
      ...(textOf(event['catch_up']) === '1' && schedule !== '' && { catchup: 'all' }),
      ...(most >= 1 && { maxActiveRuns: most }),
      ...(seconds > 0 && { timeoutSec: Math.ceil(seconds) }),
      ...((failed || succeeded) && { mailOn: { failure: !!failed, success: !!succeeded } }),
      ...(failed && { errorMail: { to: literalText(failed) } }),
      ...(succeeded && { infoMail: { to: literalText(succeeded) } }),
      ...(textOf(event['category']) !== '' && { tags: [textOf(event['category'])] }),
      steps: [
        {
          name: 'run',
          ...step,
          ...(retries > 0 && {
            retryPolicy: { limit: retries, intervalSec: Number(textOf(event['retry_delay'])) || 1 },
          }),
        },
      ],
    },
    withoutAliases,
  )
  return { schedule, spec, notes: notesOn(event) }
}

const fields = [
  ['minutes', 0, 59],
  ['hours', 0, 23],
  ['days', 1, 31],
  ['months', 1, 12],
  ['weekdays', 0, 6],
] as const

/** An empty timing is every minute; none is a run on demand. */
function scheduleOf(event: CronicleEvent): { readonly schedule: string } | { readonly fault: string } {
  const timing = event['timing']
  if (typeof timing !== 'object' || timing === null) return { schedule: '' }
  const given = mapOf(timing)
  if (listOf(given['years']).length > 0) return { fault: 'cron has no years' }
  const written = fields.map(([name, low, high]) => numbersField(listOf(given[name]).map(Number), low, high))
  const [, , days, , weekdays] = written
  if (days !== '*' && weekdays !== '*')
    return { fault: 'cron runs on either when a weekday and a day of the month are given, Cronicle on both' }
  const zone = textOf(event['timezone'])
  const schedule = `${zone === '' ? '' : `CRON_TZ=${zone} `}${written.join(' ')}`
  const reading = parseCron(schedule)
  return 'fault' in reading ? reading : { schedule }
}

function stepOf(event: CronicleEvent): object | { readonly fault: string } {
  const plugin = textOf(event['plugin'])
  const params = mapOf(event['params'])
  if (plugin === 'shellplug') return shellStep(textOf(params['script']))
  if (plugin === 'urlplug') return httpStep(params)
  return { fault: `the plugin ${plugin || 'without a name'} has no counterpart: write its command` }
}

/** The first line of a script may name its program. */
function shellStep(script: string): object {
  const [first = ''] = script.split('\n', 1)
  const program = first.startsWith('#!') ? first.slice(2).trim() : ''
  return { shell: program || '/bin/sh', script: script.endsWith('\n') ? script : `${script}\n` }
}

function httpStep(params: PlainMap): object | { readonly fault: string } {
  const url = textOf(params['url']).trim()
  const method = textOf(params['method']).toUpperCase() || 'GET'
  if (!/^https?:\/\/\S+$/.test(url)) return { fault: 'the request has no address' }
  const headers = textOf(params['headers'])
    .split('\n')
    .flatMap((line) => {
      const colon = line.indexOf(':')
      return colon > 0
        ? [[line.slice(0, colon).trim(), literalText(line.slice(colon + 1).trim())] as const]
        : []
    })
  const body = textOf(params['data'])
  const seconds = Number(textOf(params['timeout']))
  return {
    executor: {
      type: 'http',
      config: {
        ...(seconds > 0 && { timeout: seconds }),
        ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
        ...(body !== '' && { body: literalText(body) }),
      },
    },
    command: `${method} ${literalText(url)}`,
  }
}

function notesOn(event: CronicleEvent): string[] {
  const params = mapOf(event['params'])
  const unused = Object.entries(event)
    .filter(([key, value]) => !used.has(key) && Boolean(value))
    .map(([key]) => key)
  const ofRequest = ['success_match', 'error_match'].filter((key) => textOf(params[key]) !== '')
  return [
    ...(/\[\/?\w+\/?[^\]]{0,80}\]/.test(textOf(params['url']))
      ? ['placeholders in [ ] stay as they are']
      : []),
    ...(textOf(event['target']) === '' || textOf(event['target']) === 'allgrp'
      ? []
      : [`target ${textOf(event['target'])}: write a workerSelector`]),
    ...(ofRequest.length === 0 ? [] : [`not used of the request: ${ofRequest.join(', ')}`]),
    ...(textOf(event['notify_fail']) + textOf(event['notify_success']) === ''
      ? []
      : ['mails need smtp, in the DAG or in the base configuration']),
    ...(unused.length === 0 ? [] : [`not used: ${unused.join(', ')}`]),
  ]
}
