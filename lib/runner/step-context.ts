import { resolve } from 'node:path'
import type { Step } from '#lib/definition/definition.ts'
import type { SshConfig } from '#lib/definition/executor-config/ssh.ts'
import { expand, expandInOrder } from '#lib/definition/values/expand.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import { shellText } from '#lib/definition/values/shell-text.ts'
import type { RunProgress } from '#lib/engine/progress.ts'
import type { StepContext } from '#lib/executors/executor.ts'
import { isPosixShell } from '#lib/executors/shell/programs.ts'
import { quoteWord, splitWords } from '#lib/executors/shell/split-words.ts'
import { makeFolder } from './make-folder.ts'
import { processEnvironment } from './process-environment.ts'
import { substitutionAt, type CommandPlace } from './run-command.ts'
import type { RunFacts } from './run-facts.ts'
import { resolveFolder } from './run-inputs.ts'
import { runVariables, stepVariables } from './run-variables.ts'
import { referToSteps, type StepReferences } from './step-references.ts'

/** Where a step is about to run: what its texts may refer to, and what its commands run in. */
export interface StepSurroundings {
  readonly scope: Scope
  readonly references: StepReferences
  readonly place: CommandPlace
  /** Runs the commands in backticks of the step's texts. */
  readonly substitution: CommandRunner
}

export type Supervision = Pick<CommandPlace, 'signal' | 'cleanUpMs' | 'onProcessGroup'> & {
  /** Marks the processes of the attempt. */
  readonly mark: readonly [string, string]
  /** The place in a trace that processes get. */
  readonly traceparent?: string | undefined
}

/** What the run's own conditions run in: its variables, its working directory. */
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
  const scope: Scope = { variables, positional: facts.positional, steps: references.steps }
  const place: CommandPlace = {
    ...watch,
    env: processEnvironment(variables),
    positional: facts.positional,
    workingDir,
    shell: ['sh'],
  }
  return { scope, references, place, substitution: substitutionAt(place, references.makeFiles) }
}

/** Puts together the scope and the place of a step: its own environment over the run's. */
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
  await makeFolder(workingDir)
  variables.set('PWD', workingDir)
  const argv = step.shell ?? facts.definition.shell ?? ['sh']
  const shell = await Promise.all(argv.map((word) => expand(word, scope, run)))
  const place = { ...outer.place, env: processEnvironment(variables), workingDir, shell }
  return { scope, references, place, substitution: substitutionAt(place, references.makeFiles) }
}

/** The texts of an attempt with their values put in, by the rules of the step's executor. */
export type PreparedStep = Pick<
  StepContext,
  'commands' | 'script' | 'config' | 'env' | 'positional' | 'workingDir' | 'shell'
>

/** Puts values into the texts of a step. */
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

/** The files that a step wants its output in besides the log; relative ones lie below its working directory. */
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
  /** Variables that rewritten program texts refer to. */
  readonly env: Readonly<Record<string, string>>
}

type Fill = (text: string) => Promise<string>

async function textsOf(step: Step, scope: Scope, place: CommandPlace, fill: Fill): Promise<Texts> {
  const { commands, script } = step
  const { type } = step.executor
  if (type === 'shell' || type === 'ssh') return shellTexts(step, scope, shellOf(step, place), fill)
  const filled = script === undefined ? undefined : await fill(script)
  // A filter is program text: its executor hands it the variables.
  if (type === 'jq') return { commands, script: filled, env: {} }
  const line = type === 'docker' ? (text: string) => fillWords(text, fill) : fill
  return { commands: await Promise.all(commands.map(line)), script: filled, env: {} }
}

/** What reads the programs of a step, and whether the step names it. */
interface StepShell {
  readonly program: string
  readonly isChosen: boolean
}

/** On another machine the shell is that of the executor's config. */
function shellOf({ executor, shell }: Step, place: CommandPlace): StepShell {
  if (executor.type === 'shell') return { program: place.shell[0] ?? 'sh', isChosen: shell !== undefined }
  const { shell: remote } = executor.config as SshConfig
  return { program: splitWords(remote ?? 'sh')[0] ?? 'sh', isChosen: remote !== undefined }
}

/** Only a POSIX shell can be handed values by rewriting; every other interpreter reads them from its environment. */
async function shellTexts(step: Step, scope: Scope, shell: StepShell, fill: Fill): Promise<Texts> {
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

/** Rewrites shell programs; names that one text has taken are not given to the next. */
function programTexts(commands: readonly string[], script: string | undefined, scope: Scope): Texts {
  const env: Record<string, string> = {}
  const rewrite = (text: string): string => {
    const taken =
      Object.keys(env).length === 0 ? scope.variables : new Map([...scope.variables, ...Object.entries(env)])
    const program = shellText(text, { ...scope, variables: taken })
    Object.assign(env, program.env)
    return program.text
  }
  return { commands: commands.map(rewrite), script: script === undefined ? undefined : rewrite(script), env }
}

/** A command line for no shell: values go into its words, and never make new ones. */
async function fillWords(line: string, fill: Fill): Promise<string> {
  const words = await Promise.all(splitWords(line).map(fill))
  return words.map(quoteWord).join(' ')
}

/** Puts values into every text of a configuration, however deep. */
async function fillAll(value: unknown, fill: Fill): Promise<unknown> {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return Promise.all(value.map((item) => fillAll(item, fill)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([key, item]) => [key, await fillAll(item, fill)] as const)
  return Object.fromEntries(await Promise.all(entries))
}
