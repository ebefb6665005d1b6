import { stringify } from 'yaml'
import { descriptors, parseCron } from '#lib/definition/schedules/parse-cron.ts'
import { literalText } from '#lib/definition/values/literal-text.ts'
import { lineLengthMax } from './crontab-lines.ts'

/** An entry of a crontab: an equivalent DAG, or why there is none. */
export interface CronEntry {
  /** Counted from 1. */
  readonly line: number
  readonly name: string
  readonly spec?: string
  readonly fault?: string
  /** The text of the schedule in the DAG. */
  readonly schedule: string
  /** What differs from cron. */
  readonly notes: readonly string[]
}

/** Settings of cron itself, which do not become variables of a DAG. */
const ofCron = new Set(['SHELL', 'HOME', 'CRON_TZ', 'MAILTO', 'MAILFROM'])
/** Those of them that have no counterpart. */
const unused = [
  'CONTENT_TYPE',
  'CONTENT_TRANSFER_ENCODING',
  'RANDOM_DELAY',
  'START_HOURS_RANGE',
  'LOGNAME',
  'USER',
]
const nameLengthMax = 36

const timed = /^(?:@\S+|(?:\S+\s+){4}\S+)(?=\s)/
/** The remark above the columns of /etc/crontab, of Debian or of Red Hat. */
const userColumn = /^#.*\buser(?:-name)?\s+command\b/
const asRoot = /^(@\S+|(?:\S+\s+){4}\S+)\s+root\s+[^\s-]/
const asUser = /^(@\S+|(?:\S+\s+){4}\S+)\s+[a-z_][\w-]*\s+\S/

/**
 * Parses a crontab (crontab(5)): entries with five fields or an `@` word, and settings, which apply from their line on.
 * An entry becomes a DAG with one step, which runs the command as cron does: by `/bin/sh` or SHELL, in HOME.
 * @param isSystem entries name a user before the command, as in /etc/crontab; also when a remark says so, or one of
 * them names root and all begin with a word that could be a user
 */
export function readCrontab(lines: readonly string[], { isSystem = false } = {}): CronEntry[] {
  const hasUsers = isSystem || namesUsers(lines)
  const settings = new Map<string, string>()
  const names = new Map<string, number>()
  const entries: CronEntry[] = []
  for (const [position, raw] of lines.entries()) {
    if (raw.length > lineLengthMax) {
      const fault = `the line has ${raw.length} characters, at most ${lineLengthMax}`
      entries.push({ line: position + 1, name: nameOf('', names), schedule: '', notes: [], fault })
      continue
    }
    const written = raw.trim()
    if (written === '' || written.startsWith('#')) continue
    const setting = /^([A-Za-z_]\w*)\s*=(.*)$/.exec(written)
    if (setting !== null) {
      settings.set(setting[1] ?? '', unquoted((setting[2] ?? '').trim()))
      continue
    }
    const timing = timed.exec(written)?.[0] ?? ''
    const rest = timing === '' ? '' : written.slice(timing.length).trim()
    const user = hasUsers ? (/^\S+(?=\s)/.exec(rest)?.[0] ?? '') : ''
    const command = hasUsers && user === '' ? '' : rest.slice(user.length).trim()
    const name = nameOf(command, names)
    const entry = { timing: command === '' ? '' : timing, command, settings, hasUsers }
    const notes = timing === '' ? [] : notesOn(user, settings)
    entries.push({ line: position + 1, name, notes, ...dagOf(entry) })
  }
  return entries
}

/** A command of the name root is hardly meant. */
function namesUsers(all: readonly string[]): boolean {
  const lines = all.filter((line) => line.length <= lineLengthMax)
  if (lines.some((line) => userColumn.test(line.trim()))) return true
  const entries = lines.filter((line) => timed.test(line.trim()) && !/^\s*(#|\w+\s*=)/.test(line))
  const hasAll = entries.every((line) => asUser.test(line.trim()))
  return hasAll && entries.some((line) => asRoot.test(line.trim()))
}

function notesOn(user: string, settings: ReadonlyMap<string, string>): string[] {
  return [
    ...(user === ''
      ? []
      : [`cron runs this as ${user}; here it runs as the user of the runner, or as MILLRACE_STEP_USER`]),
    ...unused
      .filter((name) => settings.has(name))
      .map((name) => `${name} has no counterpart and is not used`),
    ...(settings.get('MAILTO')
      ? [
          'MAILTO becomes errorMail: cron mails output, Millrace mails failures, by smtp of the base configuration',
        ]
      : []),
  ]
}

interface Entry {
  readonly timing: string
  readonly command: string
  readonly settings: ReadonlyMap<string, string>
  /** Entries name a user. */
  readonly hasUsers: boolean
}

function dagOf({
  timing,
  command,
  settings,
  hasUsers,
}: Entry): Pick<CronEntry, 'schedule' | 'spec' | 'fault'> {
  if (timing === '') {
    const wanted = `five fields${hasUsers ? ', a user' : ''} and a command`
    return { schedule: '', fault: `it is neither a setting nor ${wanted}` }
  }
  const zone = settings.get('CRON_TZ')
  const fields = descriptors[timing.toLowerCase()] ?? timing.split(/\s+/).join(' ')
  const schedule = zone ? `CRON_TZ=${zone} ${fields}` : fields
  if (timing.toLowerCase() === '@reboot')
    return { schedule, fault: '@reboot has no counterpart: schedules are times of day' }
  const reading = parseCron(schedule)
  if ('fault' in reading) return { schedule, fault: reading.fault }
  const env = [...settings].filter(([name]) => !ofCron.has(name) && !unused.includes(name))
  return {
    schedule,
    spec: stringify({
      schedule,
      ...mailOf(settings.get('MAILTO'), settings.get('MAILFROM')),
      ...(env.length > 0 && { env: env.map(([name, value]) => ({ [name]: literalText(value) })) }),
      steps: [
        {
          name: 'run',
          workingDir: settings.has('HOME') ? literalText(settings.get('HOME') ?? '') : '${HOME}',
          shell: settings.get('SHELL') || '/bin/sh',
          script: scriptOf(command),
        },
      ],
    }),
  }
}

/** An empty MAILTO sends nothing, as without one: a service has no local mailboxes. */
function mailOf(mailTo: string | undefined, mailFrom: string | undefined): object {
  if (!mailTo) return {}
  const from = mailFrom ? { from: literalText(mailFrom) } : {}
  return { mailOn: { failure: true }, errorMail: { ...from, to: literalText(mailTo) } }
}

/** Text after the first `%` is the standard input of the command; each further `%` is a line break in it. */
function scriptOf(command: string): string {
  const [program = '', ...input] = command.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'))
  if (input.length === 0) return `${program}\n`
  return ['{', program, "} <<'END_OF_INPUT'", ...input, 'END_OF_INPUT', ''].join('\n')
}

const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value

/** Names the DAG after the program that the command runs, with a number when the name is taken. */
function nameOf(command: string, names: Map<string, number>): string {
  const program = command.split(/[\s;|&<>()%]+/).find((word) => !/^(\w+=.*)?$/.test(word)) ?? ''
  const base = (program.split('/').at(-1) ?? '').replace(/\.\w+$/, '').toLowerCase()
  const name = `cron-${base.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'entry'}`.slice(
    0,
    nameLengthMax,
  )
  const count = (names.get(name) ?? 0) + 1
  names.set(name, count)
  return count === 1 ? name : `${name}-${count}`
}
