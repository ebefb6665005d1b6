import { resolve } from 'node:path'
import { makeFolder } from '#lib/logs/make-folder.ts'
import type { Step } from '#lib/definition/definition.ts'
import type { SshConfig } from '#lib/definition/executor-config/ssh.ts'
import { expand, expandInOrder } from '#lib/definition/values/expand.ts'
import { bounded } from '#lib/definition/values/reference.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import { shellTexts } from '#lib/definition/values/shell-text.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import type { StepContext } from '#lib/executors/executor.ts'
import { isPosixShell } from '#lib/executors/shell/programs.ts'
import { quoteWord, splitWords } from '#lib/executors/shell/split-words.ts'
import { processEnvironment } from '../inputs/process-environment.ts'
import { substitutionAt, type CommandPlace } from '../inputs/run-command.ts'
import type { RunFacts } from '../inputs/run-facts.ts'
import { resolveFolder } from '../inputs/run-inputs.ts'
import { runVariables, stepVariables } from './run-variables.ts'
import { referToSteps, type StepReferences } from './step-references.ts'

/** Context of a step that is about to run: what its texts may refer to, and what its commands run in. */
export interface StepSurroundings {
  readonly scope: Scope
  readonly references: StepReferences
  readonly place: CommandPlace
  /** Runs commands in backticks that occur in the step's texts. */
  readonly substitution: CommandRunner
}

export type Supervision = Pick<CommandPlace, 'signal' | 'cleanUpMs' | 'onProcessGroup'> & {
  /** Marks the processes of the attempt. */
  readonly mark: readonly [string, string]
  /** The trace context that its processes get. */
  readonly traceparent?: string | undefined
}

/** The context of the run's own conditions: its variables and its working directory. */
export async function surroundRun(
  facts: RunFacts,
  progress: RunProgress,
  watch: Supervision,
): Promise<StepSurroundings> {
  const references = await referToSteps(facts, progress)
  const { workingDir } = facts.inputs
  const variables = runVariables(facts, progress)
  variables.set(...watch.mark)
  if (watch.traceparent !== undefined) variables.set('TRACEPARENT', watch.traceparent)
  variables.set('PWD', workingDir)
  const scope = bounded({ variables, positional: facts.positional, steps: references.steps })
  const place: CommandPlace = {
    ...watch,
    env: processEnvironment(variables),
    positional: facts.positional,
    workingDir,
    shell: ['sh'],
  }
  return { scope, references, place, substitution: substitutionAt(place, references.makeFiles) }
}

/** The context of a step: scope and place, with the `env` of the step over that of the run. */
export async function surroundStep(
  facts: RunFacts,
  progress: RunProgress,
  at: { readonly place: number; readonly step: Step },
  watch: Supervision,
): Promise<StepSurroundings> {
  const { step } = at
  const { references, substitution: run, ...outer } = await surroundRun(facts, progress, watch)
  const variables = new Map([...outer.scope.variables, ...stepVariables(facts, progress, at.place)])
  const scope: Scope = { ...outer.scope, variables }
  for (const { name, value } of await expandInOrder(step.env, scope, run)) variables.set(name, value)
  const workingDir = resolveFolder(facts.inputs.workingDir, await expand(step.workingDir ?? '', scope, run))
  makeFolder(workingDir)
  variables.set('PWD', workingDir)
  const argv = step.shell ?? facts.definition.shell ?? ['sh']
  const shell = await Promise.all(argv.map((word) => expand(word, scope, run)))
  const place = { ...outer.place, env: processEnvironment(variables), workingDir, shell }
  return { scope, references, place, substitution: substitutionAt(place, references.makeFiles) }
}

/** The texts of an attempt, expanded by the rules of the step's executor. */
export type PreparedStep = Pick<
  StepContext,
  'commands' | 'script' | 'config' | 'env' | 'positional' | 'workingDir' | 'shell'
>

/** Expands the texts of a step. */
export async function prepareStep(
  step: Step,
  { scope, references, place, substitution }: StepSurroundings,
): Promise<PreparedStep> {
  const fill = (text: string): Promise<string> => expand(text, scope, substitution)
  const texts = await textsOf(step, scope, place, fill)
  const config = (await fillAll(step.executor.config, fill)) as Readonly<Record<string, unknown>>
  const prepared: PreparedStep = {
    commands: texts.commands,
    script: texts.script,
    config,
    env: { ...place.env, ...processEnvironment(Object.entries(texts.env)) },
    positional: place.positional,
    workingDir: place.workingDir,
    shell: { argv: place.shell, explicit: step.shell !== undefined },
  }
  await references.makeFiles()
  return prepared
}

/** Files to which the step redirects its output, besides the log. Relative paths start at its working directory. */
export async function redirectFiles(
  step: Step,
  { scope, place, substitution }: StepSurroundings,
): Promise<{ stdoutFile: string | undefined; stderrFile: string | undefined }> {
  const fileNamed = async (name: string | undefined): Promise<string | undefined> =>
    name === undefined ? undefined : resolve(place.workingDir, await expand(name, scope, substitution))
  return { stdoutFile: await fileNamed(step.stdout), stderrFile: await fileNamed(step.stderr) }
}

interface Texts {
  readonly commands: readonly string[]
  readonly script: string | undefined
  /** Variables made for rewritten program texts. */
  readonly env: Readonly<Record<string, string>>
}

type Fill = (text: string) => Promise<string>

async function textsOf(step: Step, scope: Scope, place: CommandPlace, fill: Fill): Promise<Texts> {
  const { commands, script } = step
  const { type } = step.executor
  if (type === 'shell' || type === 'ssh') return textsForShell(step, scope, shellOf(step, place), fill)
  const filled = script === undefined ? undefined : await fill(script)
  // A jq filter is program text: variables are passed to it, never pasted in.
  if (type === 'jq') return { commands, script: filled, env: {} }
  const line = type === 'docker' ? (text: string) => fillWords(text, fill) : fill
  return { commands: await Promise.all(commands.map(line)), script: filled, env: {} }
}

/** The interpreter of a step's programs, and whether the step names it. */
interface StepShell {
  readonly program: string
  readonly isChosen: boolean
}

/** For ssh, the shell comes from the executor's config. */
function shellOf({ executor, shell }: Step, place: CommandPlace): StepShell {
  if (executor.type === 'shell') return { program: place.shell[0] ?? 'sh', isChosen: shell !== undefined }
  const { shell: remote } = executor.config as SshConfig
  return { program: splitWords(remote ?? 'sh')[0] ?? 'sh', isChosen: remote !== undefined }
}

/** Only programs of a POSIX shell are rewritten to receive values; other interpreters read their environment. */
async function textsForShell(step: Step, scope: Scope, shell: StepShell, fill: Fill): Promise<Texts> {
  const { commands, script } = step
  const isInterpreter = script !== undefined && commands.length > 0
  if (isInterpreter || shell.program === 'direct') {
    return { commands: await Promise.all(commands.map((line) => fillWords(line, fill))), script, env: {} }
  }
  const other =
    script?.startsWith('#!') === true && !shell.isChosen && !/^#!.*\b(ba|da|k|z|a)?sh\b/.test(script)
  if (other || !isPosixShell(shell.program)) return { commands, script, env: {} }
  return programTexts(commands, script, scope)
}

function programTexts(commands: readonly string[], script: string | undefined, scope: Scope): Texts {
  const { texts, env } = shellTexts([...commands, ...(script === undefined ? [] : [script])], scope)
  return {
    commands: texts.slice(0, commands.length),
    script: script === undefined ? undefined : texts[commands.length],
    env,
  }
}

/** Expands a command line that no shell reads: values are put into its words and never create new words. */
async function fillWords(line: string, fill: Fill): Promise<string> {
  const words = await Promise.all(splitWords(line).map(fill))
  return words.map(quoteWord).join(' ')
}

/** Expands every text of a configuration, at any depth. */
async function fillAll(value: unknown, fill: Fill): Promise<unknown> {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return Promise.all(value.map((item) => fillAll(item, fill)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([key, item]) => [key, await fillAll(item, fill)] as const)
  return Object.fromEntries(await Promise.all(entries))
}
