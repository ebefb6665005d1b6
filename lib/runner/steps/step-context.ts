import { maskBytes } from '../log/mask-bytes.ts'
import type { Step } from '#lib/definition/definition.ts'
import { addTraced, expand, expandInOrder } from '#lib/definition/values/expand.ts'
import { fillTexts } from '#lib/definition/values/fill-texts.ts'
import { bounded } from '#lib/definition/values/reference.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import { executors } from '#lib/definition/executor-config/executors.ts'
import { isKeyText } from '#lib/definition/step/ssh-key.ts'
import { checkPath } from '#lib/files/file-bounds.ts'
import { makeFolder } from '#lib/files/make-folder.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import type { StepContext } from '#lib/executors/executor.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import { expandPath } from '../inputs/expand-path.ts'
import { processEnvironment } from '../inputs/process-environment.ts'
import { substitutionAt, type CommandContext } from '../inputs/run-command.ts'
import type { RunFacts } from '../inputs/run-facts.ts'
import { foreignVariables, runVariables, stepVariables } from './run-variables.ts'
import type { RedirectFile } from './step-output.ts'
import { referToSteps, type StepReferences } from './step-references.ts'

/** The values that texts of a step may refer to, and the context of its commands. */
export interface StepScope {
  readonly scope: Scope
  readonly references: StepReferences
  readonly context: CommandContext
  /** The shell of steps that set none. */
  readonly usualShell: string
  /** Runs the commands in backticks of the step's texts. */
  readonly substitution: CommandRunner
  /** Masks the secrets of the run in a text. */
  readonly mask: (text: string) => string
}

export type Supervision = Pick<CommandContext, 'signal' | 'cleanUpMs' | 'onProcessGroup'> & {
  /** Environment variable that marks the processes of the attempt. */
  readonly mark: readonly [string, string]
  /** `TRACEPARENT` for its processes. */
  readonly traceparent?: string | undefined
}

/** The scope of the run's own conditions: its variables and its working directory. */
export async function buildRunScope(
  facts: RunFacts,
  progress: RunProgress,
  watch: Supervision,
): Promise<StepScope> {
  const references = await referToSteps(facts, progress)
  const { workingDir } = facts.inputs
  const { maskedValues } = facts
  const variables = runVariables(facts, progress)
  variables.set(...watch.mark)
  if (watch.traceparent !== undefined) variables.set('TRACEPARENT', watch.traceparent)
  variables.set('PWD', workingDir)
  const foreign = foreignVariables(facts, progress)
  const scope = bounded({ variables, positional: facts.positional, steps: references.steps, foreign })
  const context: CommandContext = {
    ...watch,
    env: processEnvironment(variables),
    positional: facts.positional,
    workingDir,
    shell: ['sh'],
    mask: maskedValues.length === 0 ? undefined : () => maskBytes(maskedValues),
  }
  return {
    scope,
    references,
    context,
    usualShell: facts.shell,
    mask: facts.maskError,
    substitution: substitutionAt(context, references.makeFiles),
  }
}

/** The scope of a step: that of the run, overridden by the `env` of the step. */
export async function buildStepScope(
  facts: RunFacts,
  progress: RunProgress,
  at: { readonly index: number; readonly step: Step },
  watch: Supervision,
): Promise<StepScope> {
  const { step } = at
  const { references, mask, substitution: run, ...outer } = await buildRunScope(facts, progress, watch)
  const special = stepVariables(facts, progress, at.index)
  const variables = new Map([...outer.scope.variables, ...special])
  const foreign = new Map(outer.scope.foreign)
  for (const [name] of special) foreign.delete(name)
  const scope: Scope = { ...outer.scope, variables, foreign }
  for (const entry of await expandInOrder(step.env, scope, run)) {
    addTraced(entry, variables, foreign)
  }
  const { path: workingDir, bounds } = await expandPath(step.workingDir ?? '', facts.inputs.workingDir, {
    scope,
    run,
  })
  asStepUser(() => {
    checkPath(workingDir, 'workingDir', [...bounds, ...facts.fileBounds])
    makeFolder(workingDir)
  })
  variables.set('PWD', workingDir)
  const argv = step.shell ?? facts.definition.shell ?? [facts.shell]
  const shell = await Promise.all(argv.map((word) => expand(word, scope, run)))
  const context = { ...outer.context, env: processEnvironment(variables), workingDir, shell }
  const { usualShell } = outer
  return {
    scope,
    references,
    context,
    usualShell,
    mask,
    substitution: substitutionAt(context, references.makeFiles),
  }
}

/** The texts of an attempt, expanded by the rules of the step's executor. */
export type PreparedStep = Pick<
  StepContext,
  'commands' | 'script' | 'config' | 'env' | 'positional' | 'workingDir' | 'shell' | 'mask'
>

/** Expands the texts of a step, and creates the files that they refer to. */
export async function prepareStep(
  step: Step,
  { scope, references, context, substitution, usualShell: usual }: StepScope,
): Promise<PreparedStep> {
  const fill = (text: string): Promise<string> => expand(text, scope, substitution)
  const texts = await fillTexts(step, { scope, run: substitution, shell: context.shell })
  const paths = await pathsOf(step, { scope, context, substitution })
  const others = Object.entries(step.executor.config).filter(([key]) => !(key in paths))
  const config = { ...((await fillAll(Object.fromEntries(others), fill)) as object), ...paths }
  const prepared: PreparedStep = {
    commands: texts.commands,
    script: texts.script,
    config,
    env: { ...context.env, ...processEnvironment(Object.entries(texts.env)) },
    positional: context.positional,
    workingDir: context.workingDir,
    shell: { argv: context.shell, explicit: step.shell !== undefined, usual },
    mask: context.mask,
  }
  await references.makeFiles()
  return prepared
}

/** Files to which the step redirects its output, besides the log. Relative paths start at its working directory. */
export async function redirectFiles(
  step: Step,
  { scope, context, substitution: run }: StepScope,
  { fileBounds }: Pick<RunFacts, 'fileBounds'>,
): Promise<{ stdoutFile: RedirectFile | undefined; stderrFile: RedirectFile | undefined }> {
  const fileNamed = async (name: string | undefined): Promise<RedirectFile | undefined> => {
    if (name === undefined) return undefined
    const { path, bounds } = await expandPath(name, context.workingDir, { scope, run })
    return { path, bounds: [...bounds, ...fileBounds] }
  }
  return { stdoutFile: await fileNamed(step.stdout), stderrFile: await fileNamed(step.stderr) }
}

/**
 * The expanded path fields of the configuration.
 * @throws FileError when a foreign value leads a path out of its folder
 */
async function pathsOf(
  { executor }: Step,
  { scope, context, substitution: run }: Pick<StepScope, 'scope' | 'context' | 'substitution'>,
): Promise<Readonly<Record<string, string>>> {
  const paths: Record<string, string> = {}
  for (const name of executors[executor.type].paths ?? []) {
    const written = executor.config[name]
    if (typeof written !== 'string') continue
    const { text, path, bounds } = await expandPath(written, context.workingDir, { scope, run })
    if (!isKeyText(text)) asStepUser(() => checkPath(path, name, bounds))
    paths[name] = text
  }
  return paths
}

type Fill = (text: string) => Promise<string>

/** Expands every text of a configuration, at any depth. */
async function fillAll(value: unknown, fill: Fill): Promise<unknown> {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return Promise.all(value.map((item) => fillAll(item, fill)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([key, item]) => [key, await fillAll(item, fill)] as const)
  return Object.fromEntries(await Promise.all(entries))
}
