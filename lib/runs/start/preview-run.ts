import type { Definition, Step } from '#lib/definition/definition.ts'
import { executors } from '#lib/definition/executor-config/executors.ts'
import { fitParams } from '#lib/definition/params/fit-params.ts'
import { positionalValues } from '#lib/definition/params/merge-params.ts'
import { paramVisibility, splitParams } from '#lib/definition/params/visible-params.ts'
import { nextFire } from '#lib/definition/schedules/fire-times.ts'
import { expand } from '#lib/definition/values/expand.ts'
import { fillTexts } from '#lib/definition/values/fill-texts.ts'
import { bounded } from '#lib/definition/values/reference.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import { dryRun } from '#lib/engine/dry-run.ts'
import { planRun } from '#lib/engine/plan.ts'

/** A value and its origin. */
export interface Origin {
  readonly name: string
  readonly value: string
  /** `default` and `env`: the file; `given`: the caller; `secret`: a secret, whose value is not shown. */
  readonly origin: 'default' | 'given' | 'env' | 'secret'
}

export interface PreviewedStep {
  readonly name: string
  /** Name of the handler (init, success, failure, cancel, exit); absent for a step of the DAG. */
  readonly handler?: string
  readonly executor: string
  readonly dependsOn: readonly string[]
  /**
   * The commands of the step, with the values known now. References that a shell or an earlier step resolves stay as
   * written.
   */
  readonly work: readonly string[]
}

/** What a run of a definition would do, computed without executing anything. */
export interface RunPreview {
  readonly order: readonly (readonly string[])[]
  readonly steps: readonly PreviewedStep[]
  readonly values: readonly Origin[]
  /** Next scheduled times, milliseconds since 1970, soonest first. */
  readonly nextFires: readonly number[]
  readonly queue: string
  readonly workerSelector: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

const firesShown = 5
const mask = '*******'

/**
 * Computes what a run would do. Nothing is executed: a command in backticks stays as written.
 * @param options.zone IANA time zone of schedules that set none
 * @throws Error when the params do not match their schema
 */
export async function previewRun(
  definition: Definition,
  options: { readonly params: string | undefined; readonly now: number; readonly zone: string },
): Promise<RunPreview> {
  const { now, zone } = options
  const { scope, values } = await valuesOf(definition, options.params)
  const plan = planRun(definition)
  const steps = await Promise.all(
    plan.steps.map(async ({ step, handler }) => ({
      name: step.name,
      ...(handler !== undefined && { handler }),
      executor: step.executor.type,
      dependsOn: step.dependsOn,
      work: await commandsOf(step, scope),
    })),
  )
  return {
    order: dryRun(definition),
    steps,
    values,
    nextFires: nextStarts(definition, now, zone),
    queue: definition.queue ?? definition.name,
    workerSelector: definition.workerSelector,
    warnings: warningsOf(definition, now, zone),
  }
}

const asWritten: CommandRunner = (command) => Promise.resolve(`\`${command}\``)

async function valuesOf(
  definition: Definition,
  given: string | undefined,
): Promise<{ scope: Scope; values: Origin[] }> {
  const variables = new Map<string, string>()
  const values: Origin[] = []
  for (const { name } of definition.secrets) {
    variables.set(name, mask)
    values.push({ name, value: mask, origin: 'secret' })
  }
  const scope: Scope = bounded({ variables, positional: [], steps: new Map() })
  for (const { name, value: text } of definition.env) {
    const value = await expand(text, scope, asWritten, { unknown: 'keep' })
    variables.set(name, value)
    values.push({ name, value, origin: 'env' })
  }
  const params = await fitParams(definition, given, scope, asWritten)
  const { visible } = splitParams(
    params,
    paramVisibility(definition, () => false),
  )
  for (const { name, value } of visible) variables.set(name, value)
  return { scope: { ...scope, positional: positionalValues(params) }, values: [...values, ...params] }
}

/**
 * Expands the commands of a step as the runner does. Programs stay as written, because the shell reads the variables
 * itself; so do texts that cannot be expanded.
 */
async function commandsOf(step: Step, scope: Scope): Promise<string[]> {
  const { child, commands, script, executor } = step
  const options = { unknown: 'keep' } as const
  if (child !== undefined) return [await expand(child.dag, scope, asWritten, options)]
  const texts = { commands, script }
  const filled =
    executors[executor.type].texts === 'program'
      ? texts
      : await fillTexts(step, { scope, run: asWritten, shell: [], options }).catch(() => texts)
  return [...filled.commands, ...(filled.script === undefined ? [] : [filled.script])]
}

/** The next 5 scheduled starts, milliseconds since 1970, soonest first. */
export function nextStarts({ schedule }: Definition, now: number, zone: string): number[] {
  return schedule.start
    .flatMap((entry) => firesOf(entry, now, zone))
    .toSorted((one, other) => one - other)
    .slice(0, firesShown)
}

function firesOf(entry: Definition['schedule']['start'][number], now: number, zone: string): number[] {
  const times: number[] = []
  for (let at = nextFire(entry, now, zone); at !== undefined && times.length < firesShown;) {
    times.push(at)
    at = nextFire(entry, at, zone)
  }
  return times
}

function warningsOf(definition: Definition, now: number, zone: string): string[] {
  const { mailOn, smtp, errorMail, infoMail, schedule, steps } = definition
  const wantsMail = mailOn.failure || mailOn.success || steps.some((step) => step.mailOnError)
  const mailStep = steps.find((step) => step.executor.type === 'mail')
  return [
    ...schedule.start
      .filter((entry) => nextFire(entry, now, zone) === undefined)
      .map((entry) => `the schedule ${entry.expression} never fires`),
    ...(wantsMail && smtp === undefined ? ['mails are configured, but there is no smtp server'] : []),
    ...(mailStep !== undefined && smtp === undefined
      ? [`the step ${mailStep.name} sends a mail, but there is no smtp server`]
      : []),
    ...(mailOn.failure && errorMail === undefined
      ? ['mailOn.failure is set, but there is no errorMail']
      : []),
    ...(mailOn.success && infoMail === undefined ? ['mailOn.success is set, but there is no infoMail'] : []),
  ]
}
