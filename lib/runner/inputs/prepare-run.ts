import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogStore } from '#lib/logs/log-store.ts'
import { makeFolder } from '#lib/logs/make-folder.ts'
import { positionalValues } from '#lib/definition/params/merge-params.ts'
import type { Plan } from '#lib/engine/plan.ts'
import type { ClaimedRun, RunInputs } from '#lib/runs/claim-runs.ts'
import { readDotenvFiles } from './dotenv-files.ts'
import type { RunFacts } from './run-facts.ts'
import { pairsOf, resolveInputs } from './run-inputs.ts'
import type { CommandPlace } from './run-command.ts'
import { resolvePolicies } from './resolve-policies.ts'
import { readSecrets } from './secrets.ts'

/** What a runner gives to every run that it prepares. */
export interface PreparationServices {
  readonly logs: LogStore
  /** The whole environment of the service; used only for secrets that DAGs name. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The part of it that steps inherit. */
  readonly inherited: ReadonlyMap<string, string>
  /** Folder of the DAG files, if there is one; relative paths in a DAG start there. */
  readonly dagsDir: string | undefined
  /** Without such a folder, each DAG gets a folder of its own below this one. */
  readonly workDir: string
}

export interface PreparedRun {
  readonly facts: RunFacts
  /** True when the inputs were evaluated now and are not stored yet. */
  readonly isFresh: boolean
  /** Removes what was made on this machine for the run. */
  readonly close: () => Promise<void>
}

/**
 * Collects everything that the steps of a run need. Inputs are evaluated by the first owner and stored; secrets and
 * dotenv files are read by every owner.
 * @throws Error: the run fails with this message before its first step
 */
export async function prepareRun(
  run: ClaimedRun,
  plan: Plan,
  services: PreparationServices,
  place: Pick<CommandPlace, 'signal' | 'cleanUpMs' | 'onProcessGroup'>,
): Promise<PreparedRun> {
  const { definition } = plan
  const { inherited } = services
  const defaultWorkingDir = run.parentWorkingDir ?? defaultFolder(run, services)
  makeFolder(defaultWorkingDir)
  const isFresh = run.inputs === undefined
  const inputs =
    run.inputs ??
    (await resolveInputs({ definition, given: run.paramsGiven, inherited, defaultWorkingDir, place }))
  makeFolder(inputs.workingDir)
  const dotenv = await readDotenvFiles(definition.dotenv, inputs.workingDir)
  const secrets = await readSecrets(definition.secrets, {
    environment: services.environment,
    workingDir: inputs.workingDir,
  })
  const finalPlaces = attemptsOfEndedSteps(run, plan)
  const scratch = scratchFolder(run.runKey)
  const positional = positionalValues(inputs.params)
  const variables = new Map([
    ...inherited,
    ...pairsOf(inputs.env),
    ...dotenv,
    ...secrets,
    ...pairsOf(inputs.params),
  ])
  const facts: RunFacts = {
    runKey: run.runKey,
    runId: run.runId,
    dagName: run.dagName,
    attempt: run.attempt,
    definition,
    plan: await resolvePolicies(plan, { variables, positional, steps: new Map() }),
    inputs,
    paramsJson: paramsJson(run.paramsGiven, inputs),
    variables,
    positional,
    maskedValues: [...secrets.values()].filter((value) => value !== ''),
    logs: services.logs,
    attemptOf: (at) => finalPlaces.get(at) ?? run.attempt,
    scratch: scratch.folder,
  }
  return { facts, isFresh, close: scratch.remove }
}

/** Base of relative paths when the DAG sets none: the folder of its file, or a folder of the DAG's own. */
function defaultFolder(run: ClaimedRun, { dagsDir, workDir }: PreparationServices): string {
  if (dagsDir !== undefined) return dagsDir
  return join(workDir, (run.fileName ?? run.dagName).replaceAll(/[^A-Za-z0-9_-]/g, '_'))
}

/** The given text when it is JSON, otherwise an object of all params by name. */
function paramsJson(given: string | undefined, inputs: RunInputs): string {
  if (given !== undefined && /^\s*[{[]/.test(given)) {
    try {
      JSON.parse(given)
      return given
    } catch {
      // It only looked like JSON.
    }
  }
  return JSON.stringify(Object.fromEntries(inputs.params.map(({ name, value }) => [name, value])))
}

/** Steps kept from an earlier attempt of the run have their logs under that attempt. */
function attemptsOfEndedSteps(run: ClaimedRun, plan: Plan): Map<number, number> {
  const places = new Map(plan.steps.map(({ step }, place) => [step.name, place]))
  return new Map(
    run.steps.flatMap((row) => {
      const place = places.get(row.name)
      return place === undefined || row.attempt === run.attempt ? [] : [[place, row.attempt] as const]
    }),
  )
}

function scratchFolder(runKey: string): { folder: () => Promise<string>; remove: () => Promise<void> } {
  let made: Promise<string> | undefined
  const make = async (): Promise<string> => {
    try {
      return await mkdtemp(join(tmpdir(), `run-${runKey}-`))
    } catch (error) {
      // Not kept: on a full disk, the next step may succeed.
      made = undefined
      throw error
    }
  }
  return {
    folder: () => (made ??= make()),
    remove: async () => {
      if (made !== undefined) await rm(await made, { recursive: true, force: true })
    },
  }
}
