import { handlerStepNames, type OutputSpec, type Step } from '#lib/definition/definition.ts'
import type { PlacedStep } from './check-variables.ts'
import { readConditions } from '#lib/definition/reading/conditions.ts'
import { readEnvironment, readTextMap } from '#lib/definition/dag/environment.ts'
import { executors } from '#lib/definition/executor-config/executors.ts'
import type { ExecutorDefaults } from '#lib/definition/executor-config/record.ts'
import type { RawStep } from '#lib/definition/schema/step.ts'
import { configOf, typeOf } from './executor-type.ts'
import type { PatternCheck } from '#lib/definition/reading/pattern-check.ts'
import type { Position } from '#lib/definition/reading/position.ts'
import { readContinueOn, readRepeatPolicy, readRetryPolicy } from './policies.ts'
import { readWork } from './step-work.ts'
import { isCodeName } from '#lib/definition/params/reserved-names.ts'
import { argumentVector } from '#lib/definition/reading/words.ts'

/** The context in which the steps of a DAG are read. */
export interface StepContext {
  readonly defaults: ExecutorDefaults
  readonly patterns: PatternCheck
  readonly broken: ReadonlySet<unknown>
  /** Collects the steps and handlers that were read, with their positions. */
  readonly placed: PlacedStep[]
}

/** A step without the fields that depend on its list. */
export interface ReadStep {
  readonly step: Omit<Step, 'name' | 'dependsOn'>
  /** First part of the generated name, when the step has none. */
  readonly kind: string
}

export function readStep(given: RawStep | string, position: Position, context: StepContext): ReadStep {
  const raw = typeof given === 'string' ? { command: given } : given
  const at = typeof given === 'string' ? asCommand(position) : position
  const { patterns, defaults } = context
  const type = typeOf(raw, at, defaults)
  const work = readWork(type, raw, at, context.broken.has(given))
  const config = type === undefined ? {} : configOf(type, raw, at, defaults)
  const step = {
    id: raw.id,
    description: raw.description ?? '',
    executor: { type: type ?? 'shell', config: { ...config } },
    ...work,
    shell: type !== undefined && executors[type].shell === 'local' ? argumentVector(raw.shell) : undefined,
    workingDir: raw.workingDir,
    env: raw.env === undefined ? [] : readEnvironment(at.at('env')),
    preconditions: readConditions(
      (['preconditions', 'precondition'] as const).flatMap((field) => {
        const value = raw[field]
        return value === undefined ? [] : [{ value, position: at.at(field) }]
      }),
      patterns,
    ),
    continueOn: readContinueOn(raw.continueOn, at.at('continueOn'), patterns),
    retryPolicy: raw.retryPolicy && readRetryPolicy(raw.retryPolicy, at.at('retryPolicy')),
    repeatPolicy: raw.repeatPolicy && readRepeatPolicy(raw.repeatPolicy, at.at('repeatPolicy'), patterns),
    output: readOutput(raw.output, at.at('output')),
    ...readFiles(raw),
    logOutput: raw.logOutput,
    signalOnStop: raw.signalOnStop ?? 'SIGTERM',
    timeoutSec: raw.timeoutSec ?? 0,
    mailOnError: raw.mailOnError ?? false,
    workerSelector: readTextMap(at.at('workerSelector')),
  }
  context.placed.push({ step, position: at })
  return { step, kind: kindOf(step) }
}

/** A step that is only a text, converted to the equivalent map. */
function asCommand(position: Position): Position {
  const { node } = position
  if (node === undefined) return position
  const entry = { key: 'command', at: node.at, value: node }
  return position.over({ kind: 'map', at: node.at, end: node.end, entries: new Map([['command', entry]]) })
}

/** Reads a handler: a step with a fixed name and without dependencies. */
export function readHandler(
  kind: keyof typeof handlerStepNames,
  raw: RawStep,
  position: Position,
  context: StepContext,
): Step {
  return { ...readStep(raw, position, context).step, name: handlerStepNames[kind], dependsOn: [] }
}

function kindOf({ executor, child, script, commands }: ReadStep['step']): string {
  if (child?.parallel !== undefined) return 'parallel'
  if (executor.type !== 'shell') return executor.type
  if (script !== undefined) return 'script'
  return commands.length > 0 ? 'cmd' : 'step'
}

function readFiles(raw: RawStep): Pick<Step, 'stdout' | 'stderr'> {
  const named = (file: string | undefined): string | undefined => (file?.trim() === '' ? undefined : file)
  return { stdout: named(raw.stdout), stderr: named(raw.stderr) }
}

function readOutput(raw: RawStep['output'], position: Position): OutputSpec | undefined {
  if (raw === undefined || raw === '') return undefined
  const { name: written, key, omit = false } = typeof raw === 'string' ? { name: raw } : raw
  const name = written.trim().replace(/^\$\{(.*)\}$|^\$/, '$1')
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,255}$/.test(name)) {
    const at = typeof raw === 'string' ? position : position.at('name')
    at.fault(`must be the name of a variable, is ${JSON.stringify(written.slice(0, 60))}`)
  } else if (isCodeName(name)) {
    const at = typeof raw === 'string' ? position : position.at('name')
    at.fault(`must be another name than ${name}, because shells or programs would act on the output`)
  }
  return { name, key, omit }
}
