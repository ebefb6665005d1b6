import { limits } from '#lib/core/limits.ts'
import { plainName } from '../converted.ts'
import { envText, fillExpressions, variableOf, type Context } from './expressions.ts'
import { combinations, labelOf } from './matrix.ts'
import { listOf, mapOf, textOf, type PlainMap } from '../plain-value.ts'

/** A step of the DAG, with the fields that it has there. */
export interface DagStep {
  readonly name: string
  readonly depends?: readonly string[]
  readonly script: string
  readonly [field: string]: unknown
}

interface Jobs {
  readonly steps: readonly DagStep[]
  readonly notes: readonly string[]
  readonly fault?: string
}

const jobsMax = 1_000

/** How the hosted runners start each shell. */
const shells: Readonly<Record<string, string>> = {
  '': '/bin/bash -e',
  bash: '/bin/bash --noprofile --norc -eo pipefail',
  sh: '/bin/sh -e',
  python: 'python',
  pwsh: 'pwsh',
}
const usedOfJobs = new Set(
  (
    'name needs runs-on strategy env defaults steps timeout-minutes permissions ' +
    'continue-on-error outputs'
  ).split(' '),
)
const usedOfSteps = new Set(
  'name id run uses with env shell working-directory timeout-minutes continue-on-error'.split(' '),
)

/** The steps of all jobs: one after the other within a job, and after the last steps of the jobs that it needs. */
export function readJobs(workflow: PlainMap, context: Context): Jobs {
  const jobs = Object.entries(mapOf(workflow['jobs'])).map(([id, job]) => ({ id, job: mapOf(job) }))
  const notes = new Set<string>()
  const steps: DagStep[] = []
  let edges = 0
  const faulty = (fault: string): Jobs => ({ steps: [], notes: [...notes], fault })
  if (jobs.length > jobsMax) return faulty(`more than ${jobsMax} jobs`)
  const inOrder = ordered(jobs)
  if (typeof inOrder === 'string') return faulty(inOrder)
  const lastOf = new Map<string, string[]>()
  const taken = new Map<string, number>()
  for (const { id, job } of inOrder) {
    const variants = combinations(mapOf(job['strategy'])['matrix'])
    if (typeof variants === 'string') return faulty(`job ${id}: ${variants}`)
    const needed = listOf(job['needs']).flatMap((need) => lastOf.get(textOf(need)) ?? [])
    const ends: string[] = []
    for (const matrix of variants) {
      const prefix = [id, labelOf(matrix)].filter(Boolean).join('-')
      let depends = needed
      for (const [index, raw] of listOf(job['steps']).entries()) {
        const step = { workflow, job, step: mapOf(raw), context: { ...context, matrix } }
        const wanted = textOf(step.step['id']) || textOf(step.step['name']) || String(index + 1)
        const name = freeName(`${prefix}-${fillExpressions(wanted, step.context)}`, taken)
        steps.push({ name, ...(depends.length > 0 && { depends }), ...fieldsOf(step, notes) })
        edges += depends.length
        if (edges > limits.dependenciesMax) return faulty(`more than ${limits.dependenciesMax} dependencies`)
        if (steps.length > limits.stepsMax) return faulty(`more than ${limits.stepsMax} steps`)
        depends = [name]
      }
      ends.push(...depends)
    }
    lastOf.set(id, [...new Set(ends)])
    noteJob(id, job, notes)
  }
  return steps.length === 0 ? faulty('the workflow has no steps') : { steps, notes: [...notes] }
}

interface Job {
  readonly id: string
  readonly job: PlainMap
}

/** Every job after those that it needs. */
function ordered(jobs: readonly Job[]): Job[] | string {
  const waiting = new Map(jobs.map((one) => [one.id, one]))
  const done = new Set<string>()
  const found: Job[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ job }) =>
      listOf(job['needs']).every((need) => done.has(textOf(need))),
    )
    if (ready.length === 0)
      return `jobs need each other or one that is missing: ${[...waiting.keys()].join(', ')}`
    for (const one of ready) {
      waiting.delete(one.id)
      done.add(one.id)
      found.push(one)
    }
  }
  return found
}

interface StepIn {
  readonly workflow: PlainMap
  readonly job: PlainMap
  readonly step: PlainMap
  readonly context: Context
}

function fieldsOf(
  { workflow, job, step, context }: StepIn,
  notes: Set<string>,
): { readonly script: string; readonly [field: string]: unknown } {
  const given = (name: string): string =>
    textOf(step[name]) ||
    textOf(mapOf(mapOf(job['defaults'])['run'])[name]) ||
    textOf(mapOf(mapOf(workflow['defaults'])['run'])[name])
  const env = Object.entries({ ...mapOf(job['env']), ...mapOf(step['env']) }).map(([key, value]) => ({
    [variableOf(key)]: envText(value, context),
  }))
  const minutes = Number(textOf(step['timeout-minutes']) || textOf(job['timeout-minutes']))
  const directory = given('working-directory')
  const unused = Object.keys(step).filter((key) => !usedOfSteps.has(key))
  if (unused.length > 0) notes.add(`of steps, these are not used: ${unused.join(', ')}`)
  const common = {
    ...(env.length > 0 && { env }),
    ...(directory !== '' && { workingDir: envText(directory, context) }),
    ...(minutes > 0 && { timeoutSec: Math.ceil(minutes * 60) }),
    ...(step['continue-on-error'] === true && { continueOn: { failure: true } }),
  }
  const action = textOf(step['uses'])
  if (action !== '') {
    notes.add(`${action} has no counterpart: its steps fail until a command takes their places`)
    const words = `write a command for ${action}`.replaceAll(/[^\w@./ -]/g, '?')
    return { ...common, shell: '/bin/sh', script: `echo '${words}' >&2\nexit 1\n` }
  }
  const script = textOf(step['run'])
  if (/GITHUB_(ENV|OUTPUT|PATH|STEP_SUMMARY)\b/.test(script))
    notes.add('files such as $GITHUB_OUTPUT do not exist: write `output: NAME` to keep what a step prints')
  const shell = given('shell')
  return {
    ...common,
    shell: shells[shell] ?? shell.replace('{0}', '').trim(),
    script: `${fillExpressions(script, context).trimEnd()}\n`,
  }
}

function noteJob(id: string, job: PlainMap, notes: Set<string>): void {
  const unused = Object.keys(job).filter((key) => !usedOfJobs.has(key))
  if (unused.length > 0) notes.add(`job ${id}: not used: ${unused.join(', ')}`)
  if (textOf(job['runs-on']).includes('self-hosted') || Array.isArray(job['runs-on']))
    notes.add(`job ${id}: write a workerSelector for the labels of runs-on`)
  const strategy = mapOf(job['strategy'])
  if ('max-parallel' in strategy)
    notes.add(`job ${id}: max-parallel is not used; maxActiveSteps limits the whole DAG`)
  if (job['continue-on-error'] === true)
    notes.add(`job ${id}: continue-on-error counts for single steps only`)
}

function freeName(wanted: string, taken: Map<string, number>): string {
  const base = plainName(wanted) || 'step'
  let count = (taken.get(base) ?? 0) + 1
  while (count > 1 && taken.has(`${base}-${count}`)) count += 1
  taken.set(base, count)
  const name = count === 1 ? base : `${base}-${count}`
  if (count > 1) taken.set(name, 1)
  return name
}
