import { limits } from '#lib/core/limits.ts'
import { checkVariables } from '#lib/definition/step/check-variables.ts'
import { readConditions } from '#lib/definition/reading/conditions.ts'
import type { CatchUp, Definition, Handlers, SecretSource, Step } from '#lib/definition/definition.ts'
import { readEnvironment, readTextMap } from './environment.ts'
import { readContainer } from '#lib/definition/executor-config/read-docker.ts'
import { ordinary } from '#lib/definition/executor-config/ordinary.ts'
import type { ExecutorDefaults } from '#lib/definition/executor-config/record.ts'
import type { Given, Layers, RawDag } from '#lib/definition/reading/layers.ts'
import { readMailTemplate, readSmtp } from './mail-fields.ts'
import { readParams } from './params-field.ts'
import type { PatternCheck } from '#lib/definition/reading/pattern-check.ts'
import type { Position } from '#lib/definition/reading/position.ts'
import { readRegistryAuths } from './registry-auths.ts'
import { readSchedule, type ScheduleCount } from './schedule-field.ts'
import { readHandler, type StepContext } from '#lib/definition/step/step-fields.ts'
import { readSteps } from '#lib/definition/step/step-list.ts'
import { isServiceSetting } from '#lib/definition/values/service-setting.ts'
import { argumentVector, durationSec } from '#lib/definition/reading/words.ts'

/** The context in which a DAG is read. */
export interface DagContext {
  /** Name of the DAG when it gives none. */
  readonly defaultName: string
  readonly patterns: PatternCheck
  readonly count: ScheduleCount
  readonly broken: ReadonlySet<unknown>
}

/** Reads a DAG: its own values override those of the base configuration, which override the defaults. */
export function readDag(layers: Layers, { defaultName, patterns, count, broken }: DagContext): Definition {
  const defaults = readExecutorDefaults(layers)
  checkUnused(layers)
  const steps: StepContext = { defaults, patterns, broken, placed: [] }
  const type = layers.value('type') ?? 'chain'
  const dag: Definition = {
    name: layers.value('name') ?? defaultName,
    group: layers.value('group') ?? '',
    description: layers.value('description') ?? '',
    type,
    schedule: readSchedule(layers.one('schedule'), count),
    skipIfSuccessful: layers.value('skipIfSuccessful') ?? false,
    catchUp: readCatchUp(layers),
    overlapPolicy: layers.value('overlapPolicy') ?? 'skip',
    ...readParams(layers.one('params'), patterns),
    env: layers.all('env').flatMap(({ position }) => readEnvironment(position)),
    dotenv: layers.all('dotenv').flatMap(({ value }) => [value].flat().filter((file) => file.trim() !== '')),
    secrets: readSecrets(layers),
    shell: argumentVector(layers.value('shell')),
    workingDir: layers.value('workingDir'),
    steps: readSteps(layers.one('steps'), type, steps),
    handlers: readHandlers(layers, steps),
    preconditions: [
      ...readConditions(layers.all('preconditions'), patterns),
      ...readConditions(layers.all('precondition'), patterns),
    ],
    ...readNumbers(layers),
    logDir: layers.value('logDir'),
    logOutput: layers.value('logOutput') ?? 'separate',
    queue: layers.value('queue')?.trim() === '' ? undefined : layers.value('queue'),
    tags: readTags(layers),
    workerSelector: readTextMapOf(layers),
    smtp: defaults.smtp,
    mailOn: readMailOn(layers),
    errorMail: readMailTemplate(layers, 'errorMail'),
    infoMail: readMailTemplate(layers, 'infoMail'),
    container: defaults.container && ordinary(defaults.container),
    registryAuths: defaults.registryAuths,
    ssh: defaults.ssh && ordinary(defaults.ssh),
    runConfig: readRunConfig(layers),
  }
  const placesOf = (...fields: (keyof RawDag)[]): Position[] =>
    fields.flatMap((field) => layers.all(field).map(({ position }) => position))
  checkVariables(dag, steps.placed, {
    env: placesOf('env'),
    others: placesOf('params', 'workingDir', 'precondition', 'preconditions'),
  })
  if (dag.queue !== undefined) layers.one('queue')?.position.mention('queue', dag.queue)
  return dag
}

/** Fields of the format that this service accepts without using them. */
function checkUnused(layers: Layers): void {
  layers.one('otel')?.position.warn('is not used: traces follow OTEL_EXPORTER_OTLP_ENDPOINT of the service')
  const retry = layers.one('retryPolicy')
  if (retry !== undefined && Number(retry.value.limit) !== 0) {
    retry.position.fault('must have limit 0: a run is not retried as a whole, give the policy to its steps')
  }
}

function readExecutorDefaults(layers: Layers): ExecutorDefaults {
  const container = layers.one('container')
  return {
    container: container && readContainer(container.value, container.position),
    ssh: layers.one('ssh') && layers.fields('ssh'),
    smtp: readSmtp(layers),
    workingDir: layers.value('workingDir'),
    registryAuths: readRegistryAuths(layers),
  }
}

type Numbers = Pick<
  Definition,
  | 'maxActiveRuns'
  | 'maxActiveSteps'
  | 'delaySec'
  | 'timeoutSec'
  | 'restartWaitSec'
  | 'maxCleanUpTimeSec'
  | 'histRetentionDays'
  | 'histRetentionRuns'
  | 'maxOutputSize'
>

const historyDaysDefault = 30

function readNumbers(layers: Layers): Numbers {
  const size = layers.value('maxOutputSize') ?? 0
  return {
    // Less than 1 counts as 1.
    maxActiveRuns: Math.max(1, layers.value('maxActiveRuns') ?? 1),
    maxActiveSteps: layers.value('maxActiveSteps') ?? 0,
    delaySec: layers.value('delaySec') ?? 0,
    timeoutSec: layers.value('timeoutSec') ?? 0,
    restartWaitSec: layers.value('restartWaitSec') ?? 0,
    maxCleanUpTimeSec: layers.value('maxCleanUpTimeSec') ?? limits.cleanUpSecDefault,
    histRetentionDays: layers.value('histRetentionDays') ?? historyDaysDefault,
    histRetentionRuns: layers.value('histRetentionRuns'),
    maxOutputSize: size === 0 ? limits.outputBytesDefault : Math.min(size, limits.outputBytesMax),
  }
}

const catchUpWindowSecDefault = 86_400

function readCatchUp(layers: Layers): CatchUp {
  const policy = layers.value('catchup')
  const window = layers.value('catchupWindow')
  const windowSec = window === undefined ? catchUpWindowSecDefault : durationSec(window)
  if (policy === undefined) return { policy: window === undefined ? 'none' : 'all', windowSec }
  if (typeof policy === 'boolean') return { policy: policy ? 'all' : 'none', windowSec }
  return { policy, windowSec }
}

function readSecrets(layers: Layers): SecretSource[] {
  return layers.all('secrets').flatMap(({ value, position }) =>
    value.map(({ name, provider, key, options = {} }, index) => {
      const at = position.at(index)
      if (!/^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(name)) at.at('name').fault('must be the name of a variable')
      if (key.trim() === '') at.at('key').fault('must not be empty')
      if (provider === 'env' && isServiceSetting(key))
        at.at('key').warn('is a setting of the service, which no DAG may read: the run will fail')
      if (Object.keys(options).length > 0) at.at('options').warn('is not used: env and file have no options')
      return { name, provider, key }
    }),
  )
}

function readHandlers(layers: Layers, context: StepContext): Handlers {
  return Object.assign({}, ...layers.all('handlerOn').map((given) => handlersOf(given, context)))
}

function handlersOf(
  { value, position }: Given<NonNullable<RawDag['handlerOn']>>,
  context: StepContext,
): Handlers {
  if (value.cancel !== undefined && value.abort !== undefined) {
    position.at('abort').fault('must not be combined with cancel: they are the same handler')
  }
  const handlers: Partial<Record<keyof Handlers, Step>> = {}
  const read = (kind: keyof Handlers, field: keyof typeof value): void => {
    const raw = value[field]
    if (raw !== undefined) handlers[kind] = readHandler(kind, raw, position.at(field), context)
  }
  read('init', 'init')
  read('success', 'success')
  read('failure', 'failure')
  read('cancel', value.cancel === undefined ? 'abort' : 'cancel')
  read('exit', 'exit')
  return handlers
}

function readTags(layers: Layers): string[] {
  const tags = layers.all('tags').flatMap(({ value, position }) => {
    if (typeof value === 'string') return value.split(',')
    return position.items().map((item) => item.text)
  })
  return [...new Set(tags.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== ''))]
}

function readTextMapOf(layers: Layers): Record<string, string> {
  const given = layers.one('workerSelector')
  return given === undefined ? {} : readTextMap(given.position)
}

function readMailOn(layers: Layers): Definition['mailOn'] {
  const { failure = false, success = false } = layers.fields('mailOn')
  return { failure, success }
}

function readRunConfig(layers: Layers): Definition['runConfig'] {
  const { disableParamEdit = false, disableRunIdEdit = false } = layers.fields('runConfig')
  return { disableParamEdit, disableRunIdEdit }
}
