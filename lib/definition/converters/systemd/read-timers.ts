import { stringify } from 'yaml'
import { literalText } from '#lib/definition/values/literal-text.ts'
import { DagNames, withoutAliases, type Converted } from '../converted.ts'
import { execScript, splitWords, type ExecScript, type Specifiers } from './exec-script.ts'
import { readOnCalendar } from './on-calendar.ts'
import { readUnit, spanSeconds, valueOf, valuesOf, type Unit } from './read-unit.ts'

/** What a DAG has of a unit; other settings are named in a note. */
const used = new Set(
  (
    'Description Documentation WantedBy Also Unit OnCalendar Persistent AccuracySec Type ' +
    'ExecStart ExecStartPre ExecStartPost Environment EnvironmentFile Restart RestartSec ' +
    'WorkingDirectory TimeoutStartSec RuntimeMaxSec User Group OnUnitActiveSec StandardOutput ' +
    'StandardError SyslogIdentifier RemainAfterExit WakeSystem'
  ).split(' '),
)
const retriesOfRestart = 3
const unitLengthMax = 65_536

/**
 * Makes a DAG of each timer and the service that it starts.
 * @param units texts by the names of their files, such as `backup.timer`
 */
export function readTimers(units: ReadonlyMap<string, string>): Converted[] {
  const names = new DagNames()
  return [...units].flatMap(([file, text]) => {
    if (!file.endsWith('.timer')) return []
    const timer = readUnit(text)
    const wanted = valueOf(timer, 'Timer', 'Unit') || file.replace(/timer$/, 'service')
    const name = names.take(file.replace(/\.timer$/, ''), 'timer')
    const service = serviceText(units, wanted)
    if (text.length + (service?.length ?? 0) > unitLengthMax)
      return [
        { name, schedule: '', notes: [], fault: `its units have more than ${unitLengthMax} characters` },
      ]
    if (service === undefined)
      return [{ name, schedule: '', notes: [], fault: `${file} starts ${wanted}, which is missing` }]
    return [{ name, ...dagOf(timer, readUnit(service), wanted) }]
  })
}

/** `backup@db.service` is made of `backup@.service`, if it has no file of its own. */
function serviceText(units: ReadonlyMap<string, string>, name: string): string | undefined {
  const template = `${name.slice(0, name.indexOf('@') + 1)}${name.slice(name.lastIndexOf('.'))}`
  return units.get(name) ?? units.get(template)
}

function dagOf(timer: Unit, service: Unit, file: string): Omit<Converted, 'name'> {
  const { schedules, notes, fault } = schedulesOf(timer)
  const schedule = schedules.join(', ')
  if (fault !== undefined) return { schedule, notes, fault }
  const steps = stepsOf(service, file)
  if (steps.length === 0) return { schedule, notes, fault: `${file} has no ExecStart` }
  const description = valueOf(service, 'Unit', 'Description') || valueOf(timer, 'Unit', 'Description')
  const env = environmentOf(service)
  const files = valuesOf(service, 'Service', 'EnvironmentFile').map((path) => path.replace(/^-/, ''))
  const directory = valueOf(service, 'Service', 'WorkingDirectory').replace(/^-/, '')
  const seconds = secondsOf(service)
  const retryPolicy = retryOf(service)
  const spec = stringify(
    {
      ...(description !== '' && { description: literalText(description) }),
      schedule: schedules.length === 1 ? schedules[0] : schedules,
      ...(/^(yes|true|on|1)$/i.test(valueOf(timer, 'Timer', 'Persistent')) && { catchup: 'last' }),
      ...(env.length > 0 && { env }),
      ...(files.length > 0 && { dotenv: files.map(literalText) }),
      ...(directory !== '' && { workingDir: directory === '~' ? '${HOME}' : literalText(directory) }),
      ...(seconds !== undefined && { timeoutSec: seconds }),
      steps: steps.map(({ name, script, mayFail }) => ({
        name,
        shell: '/bin/sh',
        script,
        ...(mayFail && { continueOn: { failure: true } }),
        ...retryPolicy,
      })),
    },
    withoutAliases,
  )
  return {
    schedule,
    spec,
    notes: [...notes, ...steps.flatMap((step) => step.notes), ...notesOn(timer, service)],
  }
}

interface Schedules {
  readonly schedules: string[]
  readonly notes: string[]
  readonly fault?: string
}

function schedulesOf(timer: Unit): Schedules {
  const readings = valuesOf(timer, 'Timer', 'OnCalendar').map(readOnCalendar)
  const faults = readings.flatMap((reading) => ('fault' in reading ? [reading.fault] : []))
  const good = readings.flatMap((reading) => ('fault' in reading ? [] : [reading]))
  const [schedules, notes] = [good.map((one) => one.schedule), good.flatMap((one) => one.notes)]
  const [fault] = faults
  if (fault !== undefined) return { schedules, notes, fault: faults.join('; ') }
  if (schedules.length > 0) return { schedules, notes }
  const every = spanSeconds(valueOf(timer, 'Timer', 'OnUnitActiveSec'))
  const minutes = (every ?? 0) / 60
  const regular = regularSchedule(minutes)
  if (regular === undefined) {
    const wanted = 'OnCalendar, or an OnUnitActiveSec that divides an hour or a day'
    return { schedules, notes, fault: `the timer has no ${wanted}` }
  }
  return {
    schedules: [regular],
    notes: [`every ${minutes} min counts from the full hour, not from the last start`],
  }
}

function regularSchedule(minutes: number): string | undefined {
  if (Number.isInteger(minutes) && minutes >= 1 && 60 % minutes === 0)
    return minutes === 60 ? '0 * * * *' : `${minutes === 1 ? '*' : `*/${minutes}`} * * * *`
  const hours = minutes / 60
  if (!Number.isInteger(hours) || hours < 1 || 24 % hours !== 0) return undefined
  return hours === 24 ? '0 0 * * *' : `0 */${hours} * * *`
}

interface ServiceStep extends ExecScript {
  readonly name: string
}

function stepsOf(service: Unit, file: string): ServiceStep[] {
  const start = valuesOf(service, 'Service', 'ExecStart')
  if (start.length === 0) return []
  const base = file.replace(/\.service$/, '')
  const [prefix = '', instance = ''] = base.split('@')
  const specifiers: Specifiers = {
    i: instance,
    I: instance,
    n: file,
    N: base,
    p: prefix,
  }
  return (['ExecStartPre', 'ExecStart', 'ExecStartPost'] as const).flatMap((setting) => {
    const lines = valuesOf(service, 'Service', setting)
    const name = { ExecStartPre: 'before', ExecStart: 'run', ExecStartPost: 'after' }[setting]
    return lines.map((line, index) => ({
      ...execScript(line, specifiers),
      name: lines.length === 1 ? name : `${name}-${index + 1}`,
    }))
  })
}

function environmentOf(service: Unit): Record<string, string>[] {
  return valuesOf(service, 'Service', 'Environment')
    .flatMap(splitWords)
    .flatMap(({ text }) => {
      const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(text) ?? []
      return name === undefined || value === undefined ? [] : [{ [name]: literalText(value) }]
    })
}

function secondsOf(service: Unit): number | undefined {
  const spans = ['TimeoutStartSec', 'RuntimeMaxSec'].map((name) =>
    spanSeconds(valueOf(service, 'Service', name)),
  )
  const seconds = spans.find((span) => span !== undefined && span > 0)
  return seconds === undefined ? undefined : Math.ceil(seconds)
}

function retryOf(service: Unit): object {
  if (!/^(on-failure|always|on-abnormal)$/.test(valueOf(service, 'Service', 'Restart'))) return {}
  const pause = spanSeconds(valueOf(service, 'Service', 'RestartSec')) ?? 1
  return { retryPolicy: { limit: retriesOfRestart, intervalSec: Math.max(1, Math.ceil(pause)) } }
}

function notesOn(timer: Unit, service: Unit): string[] {
  const user = valueOf(service, 'Service', 'User')
  const unused = ['Unit', 'Timer', 'Service'].flatMap((section) =>
    [timer, service].flatMap((unit) =>
      [...(unit.get(section)?.keys() ?? [])].filter((key) => !used.has(key)),
    ),
  )
  return [
    ...(user === ''
      ? []
      : [`systemd runs this as ${user}; here it runs as the user of the runner, or as MILLRACE_STEP_USER`]),
    ...('retryPolicy' in retryOf(service)
      ? [`Restart becomes ${retriesOfRestart} retries of each step; systemd restarts the whole service`]
      : []),
    ...(unused.length === 0 ? [] : [`not used: ${[...new Set(unused)].join(', ')}`]),
  ]
}
