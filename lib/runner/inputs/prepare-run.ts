import { join } from 'node:path'
import { OutputBudget } from './output-budget.ts'
import { messageOf } from '#lib/core/errors.ts'
import { checkPath, type FileBound } from '#lib/files/file-bounds.ts'
import { makeFolder } from '#lib/files/make-folder.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import { foreignParams } from '#lib/definition/params/foreign-params.ts'
import { usualShell } from '#lib/executors/shell/default-shell.ts'
import { makeStepFolder, removeStepFolder } from '#lib/executors/shell/step-folder.ts'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import { positionalValues } from '#lib/definition/params/merge-params.ts'
import { paramVisibility, splitParams } from '#lib/definition/params/visible-params.ts'
import type { Definition } from '#lib/definition/definition.ts'
import type { Plan } from '#lib/engine/plan.ts'
import type { ClaimedRun, RunInputs } from '#lib/runs/claim/claim-runs.ts'
import { errorMask, type ErrorMask } from '../log/error-mask.ts'
import { isJson } from '#lib/definition/values/json-scan.ts'
import { secretForms } from '../log/secret-forms.ts'
import { folderName, noteFolder } from '../work-folders/note-folder.ts'
import { readDotenvFiles } from './dotenv-files.ts'
import type { RunFacts } from './run-facts.ts'
import { pairsOf, resolveInputs } from './run-inputs.ts'
import type { CommandContext } from './run-command.ts'
import { resolvePolicies } from './resolve-policies.ts'
import { readSecrets, type SecretContext } from './secrets.ts'

/** Dependencies and settings for preparing runs. */
export interface PreparationDeps {
  /** Identifies this runner in claims and in the names of temporary folders; unique among all runners. */
  readonly owner: string
  readonly logs: LogStore
  /** Maximum size of one log stream of a step. */
  readonly logBytesMax: number
  /** The whole environment of the service, used only to read the secrets that DAGs declare. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The part of it that steps inherit. */
  readonly inherited: ReadonlyMap<string, string>
  /** Folder of the DAG files, if there is one; relative paths in a DAG start there. */
  readonly dagsDir: string | undefined
  /** Without such a folder, each DAG gets a folder of its own below this one. */
  readonly workDir: string
  /** Shell of steps that set none; default: sh. */
  readonly shell?: string
  /** Folders in which all paths of DAGs must lie; default: anywhere. */
  readonly fileBounds?: readonly FileBound[]
}

export interface PreparedRun {
  readonly facts: RunFacts
  /** True when the inputs were evaluated now and are not stored yet. */
  readonly isFresh: boolean
  /** Removes the scratch folder of the run. */
  readonly close: () => Promise<void>
}

/**
 * Collects what the steps of a run need. The first owner evaluates the inputs and stores them; every owner reads
 * secrets and dotenv files.
 * @throws Error: the run fails with this message before its first step
 */
export async function prepareRun(
  run: ClaimedRun,
  plan: Plan,
  deps: PreparationDeps,
  context: Pick<CommandContext, 'signal' | 'cleanUpMs' | 'onProcessGroup'>,
): Promise<PreparedRun> {
  const { definition } = plan
  const { inherited, shell = usualShell, fileBounds = [] } = deps
  const defaultWorkingDir = makeDefaultFolder(run, deps)
  const isFresh = run.inputs === undefined
  const inputs =
    run.inputs ??
    (await resolveInputs({ definition, given: run.paramsGiven, inherited, defaultWorkingDir, context }).catch(
      (error: unknown) => {
        throw withoutSecrets(error, definition, secretContext(deps, defaultWorkingDir))
      },
    ))
  const { workingDir } = inputs
  asStepUser(() => {
    checkPath(workingDir, 'workingDir', fileBounds)
    makeFolder(workingDir)
  })
  const dotenv = readDotenvFiles(definition.dotenv, workingDir, fileBounds)
  const secrets = readSecrets(definition.secrets, secretContext(deps, workingDir))
  const withEnv = new Map([...inherited, ...pairsOf(inputs.env)])
  const others = new Map([...withEnv, ...dotenv, ...secrets])
  const isVisible = paramVisibility(definition, (name) => others.has(name))
  const { visible, withheld } = splitParams(inputs.params, isVisible)
  const finalAttempts = attemptsOfEndedSteps(run, plan)
  const scratch = scratchFolder(deps.owner)
  const positional = positionalValues(inputs.params)
  const variables = new Map([...others, ...pairsOf(visible)])
  const maskedValues = secretForms(secrets.values())
  const maskError = errorMask(maskedValues, definition, inputs.env)
  const facts: RunFacts = {
    runKey: run.runKey,
    runId: run.runId,
    dagName: run.dagName,
    attempt: run.attempt,
    definition,
    plan: await withPolicies(plan, { variables, positional }, maskError),
    inputs,
    paramsJson: paramsJson(run.paramsGiven, inputs),
    variables,
    withheldParams: withheld,
    positional,
    foreign: await foreignParams(definition.params, run.paramsGiven, inputs.params, withEnv),
    shell,
    fileBounds,
    maskedValues,
    maskError,
    logs: deps.logs,
    logBytesMax: deps.logBytesMax,
    attemptOf: (at) => finalAttempts.get(at) ?? run.attempt,
    outputBudget: new OutputBudget(),
    scratch: scratch.folder,
  }
  return { facts, isFresh, close: scratch.remove }
}

function makeDefaultFolder(run: ClaimedRun, deps: PreparationDeps): string {
  const folder = run.parentWorkingDir ?? defaultFolder(run, deps)
  if (run.parentWorkingDir === undefined && deps.dagsDir === undefined) noteFolder(folder)
  asStepUser(() => makeFolder(folder, privateMode))
  return folder
}

/** @throws Error with secrets masked */
async function withPolicies(
  plan: Plan,
  scope: Pick<RunFacts, 'variables' | 'positional'>,
  maskError: ErrorMask,
): Promise<Plan> {
  try {
    return await resolvePolicies(plan, { ...scope, steps: new Map() })
  } catch (error) {
    throw maskedFailure(error, maskError)
  }
}

/** Working folders are readable by their owner only. */
const privateMode = 0o700

/**
 * Masks an error of the inputs. No secret has been passed to a command by then, but a command may have read one itself.
 */
function withoutSecrets(error: unknown, definition: Definition, context: SecretContext): Error {
  const values = definition.secrets.flatMap((source) => {
    try {
      return [...readSecrets([source], context).values()]
    } catch {
      // A secret that cannot be read cannot be in the error.
      return []
    }
  })
  return maskedFailure(error, errorMask(secretForms(values), definition))
}

/** Keeps only the message, because a cause may contain the secret. */
const maskedFailure = (error: unknown, maskError: ErrorMask): Error => new Error(maskError(messageOf(error)))

const secretContext = (
  { environment, fileBounds = [] }: PreparationDeps,
  workingDir: string,
): SecretContext => ({ environment, workingDir, bounds: fileBounds })

/** Base of relative paths when the DAG sets none: the folder of its file, or a folder of the DAG's own. */
function defaultFolder(run: ClaimedRun, { dagsDir, workDir }: PreparationDeps): string {
  if (dagsDir !== undefined) return dagsDir
  return join(workDir, folderName(run.fileName ?? run.dagName))
}

/** The params as given if they are a JSON object or array, otherwise an object by name. */
function paramsJson(given: string | undefined, inputs: RunInputs): string {
  if (given !== undefined && /^\s*[{[]/.test(given) && isJson(given)) return given
  return JSON.stringify(Object.fromEntries(inputs.params.map(({ name, value }) => [name, value])))
}

/** Steps kept from an earlier attempt of the run have their logs there. Attempts by step index. */
function attemptsOfEndedSteps(run: ClaimedRun, plan: Plan): Map<number, number> {
  const indexes = new Map(plan.steps.map(({ step }, index) => [step.name, index]))
  return new Map(
    run.steps.flatMap((row) => {
      const index = indexes.get(row.name)
      return index === undefined || row.attempt === run.attempt ? [] : [[index, row.attempt] as const]
    }),
  )
}

function scratchFolder(owner: string): { folder: () => Promise<string>; remove: () => Promise<void> } {
  let made: string | undefined
  return {
    folder: async () => (made ??= makeStepFolder('run', owner)),
    remove: async () => {
      if (made !== undefined) await removeStepFolder(made)
    },
  }
}
