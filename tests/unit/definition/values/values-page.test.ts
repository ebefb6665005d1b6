import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { NamedText } from '#lib/definition/definition.ts'
import { mergeParams, resolveParams, type MergedParam } from '#lib/definition/params/merge-params.ts'
import { readGivenParams, readParamText } from '#lib/definition/params/read-params.ts'
import { paramVisibility } from '#lib/definition/params/visible-params.ts'
import { fireTimesBetween, nextFire } from '#lib/definition/schedules/fire-times.ts'
import { parseCron } from '#lib/definition/schedules/parse-cron.ts'
import { conditionMatches } from '#lib/definition/values/condition.ts'
import { expand, expandInOrder, expandParts } from '#lib/definition/values/expand.ts'
import { requestLine } from '#lib/definition/values/request-text.ts'
import { parallelItems } from '#lib/definition/values/parallel-items.ts'
import type { Scope, StepReference } from '#lib/definition/values/scope.ts'
import { shellTexts } from '#lib/definition/values/shell-text.ts'
import { inTurns } from '#lib/executors/in-turns.ts'
import { durationSec } from '#lib/definition/reading/words.ts'
import { decideFiring } from '#lib/schedules/decide-firing.ts'
import { instantToServe } from '#lib/definition/schedules/instant-to-serve.ts'

const page = readFileSync(new URL('../../../../VALUES.md', import.meta.url), 'utf8')

/** Fenced blocks by their language, line by line. */
function blocks(language: string): string[][] {
  return [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => (match[2] ?? '').trimEnd().split('\n'))
}

/** The examples of a language: what is written, and what it gives. */
function examples(language: string): [string, string][] {
  return blocks(language)
    .flat()
    .map((line) => {
      const arrow = line.lastIndexOf('→')
      return [line.slice(0, arrow).trim(), line.slice(arrow + 1).trim()]
    })
}

function readScope(): Scope {
  const variables = new Map<string, string>()
  const positional: string[] = []
  const steps = new Map<string, StepReference>()
  for (const line of blocks('scope').flat()) {
    const [, id, stdout = '', stderr = '', exit, name = '', value = ''] =
      /^step (\w+): stdout=(\S+) stderr=(\S+) exit=(\d+) output (\w+)=(\S+)$/.exec(line) ?? []
    if (id !== undefined) {
      steps.set(id, { stdout, stderr, exitCode: Number(exit), outputs: { [name]: value } })
      continue
    }
    const [left = '', right = ''] = line.split(/ = ?(.*)$/)
    if (left.startsWith('$')) positional.push(right)
    else variables.set(left, right)
  }
  return { variables, positional, steps }
}

const scope = readScope()

async function runShell(program: string, at: Scope): Promise<string> {
  const { texts, env } = shellTexts([program], at)
  return execFileSync('/bin/sh', ['-c', texts[0] ?? '', 'sh', ...at.positional], {
    env: { PATH: '/usr/bin:/bin', ...Object.fromEntries(at.variables), ...env },
    encoding: 'utf8',
  }).replace(/\n+$/, '')
}

const shown = (params: readonly MergedParam[]): string =>
  params.map(({ name, value }) => `${name}=${value}`).join(' | ')

const defaults = readParamText('red 12 SIZE=large')
const visible = paramVisibility(
  {
    params: readParamText('SIZE=large'),
    paramsSchema: undefined,
    env: [{ name: 'BASE', value: '/srv' }],
    secrets: [],
  },
  () => false,
)
const unescapeLines = (text: string): string => text.replaceAll(String.raw`\n`, '\n')

function nextTimes(line: string): string {
  const [schedule = '', after = ''] = line.split(' after ')
  const reading = parseCron(schedule)
  if ('fault' in reading) return reading.fault
  const span = { afterMs: Date.parse(after), untilMs: Infinity, limit: 3 }
  const times = fireTimesBetween(reading.entry, span, 'UTC')
  return times.map((time) => new Date(time).toISOString().replace(':00.000Z', 'Z')).join(' ')
}

/** "all 2h, served to 08:00, back at 11:30" of an hourly schedule, to the times that get a run. */
function madeUpFor(text: string): string {
  const [, policy, window = '1d', served, back] =
    /^(none|last|all)(?: (\w+))?, served to (.*), back at (.*)$/.exec(text) ?? expect.fail(text)
  const at = (clock = ''): number => Date.parse(`2026-01-05T${clock}Z`)
  const entry = { expression: '0 * * * *', zone: undefined }
  const catchUp = { policy: policy as 'none' | 'last' | 'all', windowSec: durationSec(window) }
  const nowMs = at(back)
  const made: string[] = []
  for (let dueMs = nextFire(entry, at(served), 'UTC') ?? nowMs; dueMs <= nowMs;) {
    const { atMs, afterMs } = instantToServe(entry, { dueMs, nowMs, catchUp }, 'UTC')
    const { act } = decideFiring({
      kind: 'start',
      dueMs: atMs,
      nowMs,
      previousMs: undefined,
      suspended: false,
      skipIfSuccessful: false,
      catchUp,
      overlapPolicy: 'skip',
      restartWaitMs: 0,
      latest: undefined,
      alive: undefined,
    })
    if (act === 'start') made.push(new Date(atMs).toISOString().slice(11, 16))
    dueMs = nextFire(entry, afterMs, 'UTC') ?? Number.POSITIVE_INFINITY
  }
  return made.join(' ') || 'nothing'
}

const gives: Record<string, (text: string) => string | Promise<string>> = {
  values: (text) => expand(text, scope, runShell),
  shell: (text) => runShell(text, scope),
  params: (text) => shown(mergeParams(readParamText(text), [])),
  given: (text) => shown(mergeParams(defaults, readGivenParams(text))),
  names: (name) => (visible(name) ? 'visible' : 'only in DAG_PARAMS_JSON'),
  requests: async (text) => {
    const [address = '', X = ''] = text.split(' with ')
    const parts = await expandParts(`GET ${address}`, { ...scope, variables: new Map([['X', X]]) }, runShell)
    try {
      return requestLine(parts).slice(4)
    } catch {
      return 'refused'
    }
  },
  conditions: async (text) => {
    const [actual = '', expected = ''] = text.split(/ = (.*)$/)
    return `${await inTurns(conditionMatches(unescapeLines(actual), expected))}`
  },
  items: (text) => {
    const read = parallelItems(unescapeLines(text))
    return 'items' in read ? read.items.join(' | ') : read.fault
  },
  cron: nextTimes,
  catchup: madeUpFor,
  refused: nextTimes,
}

describe.each(Object.keys(gives))('examples of %s in VALUES.md', (language) => {
  it.each(examples(language))('%s → %s', async (text, expected) => {
    expect(await gives[language]?.(text)).toBe(expected)
  })

  it('exist', () => {
    expect(examples(language).length).toBeGreaterThan(2)
  })
})

describe('the order of evaluation in VALUES.md', () => {
  it('gives each entry the value that the page shows', async () => {
    const file = parse(blocks('yaml')[0]?.join('\n') ?? '') as Record<'env' | 'params' | 'steps', unknown[]>
    const entries = (list: unknown): NamedText[] =>
      (list as Record<string, string>[]).flatMap((one) =>
        Object.entries(one).map(([name, value]) => ({ name, value })),
      )
    const empty: Scope = { variables: new Map(), positional: [], steps: new Map() }
    const env = await expandInOrder(entries(file.env), empty, runShell)
    const withEnv = { ...empty, variables: new Map(env.map(({ name, value }) => [name, value])) }
    const params = await resolveParams(mergeParams(entries(file.params), []), withEnv, runShell, () => true)
    const all = new Map([...withEnv.variables, ...params.map(({ name, value }) => [name, value] as const)])
    const [step] = file.steps as { env: unknown }[]
    const own = await expandInOrder(entries(step?.env), { ...empty, variables: all }, runShell)
    for (const { name, value } of own) all.set(name, value)
    const expected = examples('order')
    expect(expected.map(([name]) => [name, all.get(name)])).toEqual(expected)
    expect(expected.length).toBeGreaterThan(3)
  })
})
