import { randomUUID } from 'node:crypto'
import type { DockerConfig, SharedContainer } from '#lib/definition/executor-config/docker-config.ts'
import { processMarkName, type Executor, type StepContext, type StepOutcome } from '../executor.ts'
import { splitWords } from '#lib/definition/values/split-words.ts'
import { openEngine, type Engine } from './client.ts'
import { createContainer, removeContainer, stopContainer, type Container } from './container.ts'
import { createRequest } from './create-options.ts'
import { ContainerFault, faultOf } from './engine-fault.ts'
import { byLowerName } from './engine-settings.ts'
import { labelsOf } from './labels.ts'
import { signalMarked } from './marked-processes.ts'
import { findOrCreate, requireRunning } from './named-container.ts'
import { provideImage } from './pull.ts'
import { runExec, type ExecPlan } from './run-exec.ts'
import { runMain } from './run-main.ts'
import { mainOf, startService, type Service } from './service.ts'
import { borrowShared } from './shared-container.ts'

/** Runs commands in containers, new ones or running ones, by the API of Docker. */
export const dockerExecutor: Executor = { run: runDocker }

/** A {@link DockerConfig}; `container:` of a step also says how long the container lives. */
type StepConfig = DockerConfig & Partial<Omit<SharedContainer, keyof DockerConfig>>

async function runDocker(context: StepContext): Promise<StepOutcome> {
  let address = ''
  try {
    const engine = openEngine(context)
    address = engine.address
    return await runIn(engine, context)
  } catch (error) {
    if (context.signal.aborted)
      return { exitCode: 143, error: 'the step was stopped before its command began' }
    const { exitCode, message } = faultOf(error, { address })
    return { exitCode, error: message }
  }
}

async function runIn(engine: Engine, context: StepContext): Promise<StepOutcome> {
  const config = context.config as unknown as StepConfig
  const commands = context.commands.map(splitWords)
  const { shared, containerName, image } = config
  if (shared !== undefined) {
    if (commands.length === 0) throw new ContainerFault('a step in the container of the DAG needs a command')
    const { container, giveBack } = await borrowShared(engine, context, config, shared)
    try {
      return await execAll(engine, container, commands, context, shared.exec)
    } finally {
      await giveBack()
    }
  }
  if (image === undefined) {
    const container = await requireRunning(engine, containerName ?? '', context.signal)
    return execAll(engine, container, commands, context, config.exec)
  }
  return runFromImage(engine, context, { ...config, image }, commands)
}

type Commands = readonly (readonly string[])[]

/**
 * Creates a container from the image, runs the step in it, and removes it. Uses a running container of that name
 * instead.
 */
async function runFromImage(
  engine: Engine,
  context: StepContext,
  config: StepConfig & { readonly image: string },
  commands: Commands,
): Promise<StepOutcome> {
  const { signal } = context
  const { containerName: name } = config
  const service = serviceOf(config, commands)
  const create = async (): Promise<Container> => {
    await provideImage(engine, { ...config, signal }, context)
    const plan = {
      ...config,
      ...(service === undefined ? ownMain(config, commands) : mainOf(service)),
      env: stepEnvironment(context),
      labels: labelsOf(context, !config.autoRemove),
      isLogKept: !config.autoRemove || service !== undefined,
      mayRestart: false,
    }
    return createContainer(engine, createRequest(plan, context, engine), signal)
  }
  const { container, isNew } =
    name === undefined
      ? { container: await create(), isNew: true }
      : await findOrCreate(engine, { name, signal, judge: () => 'use', create })
  if (!isNew) return execAll(engine, container, commands, context, config.exec)
  let isKept = false
  try {
    const outcome =
      service === undefined
        ? await runMain(container, context, hasTerminal(config))
        : await runInService(engine, container, service, context, commands)
    isKept = !config.autoRemove && !signal.aborted
    return outcome
  } finally {
    if (!isKept) await removeQuietly(engine, container, context)
    else if (service !== undefined) await stopContainer(container, context.cleanUpMs)
  }
}

/**
 * With several commands, or a container that must be ready first: the container runs a service, and the commands are
 * executed in it.
 */
function serviceOf(config: StepConfig, commands: Commands): Service | undefined {
  const { startup = 'keepalive', command = [], waitFor = 'running', logPattern } = config
  const isSpecial = startup !== 'keepalive' || waitFor !== 'running' || logPattern !== undefined
  if (commands.length === 0 || (commands.length === 1 && !isSpecial)) return undefined
  return { startup, command, waitFor, ...(logPattern !== undefined && { logPattern }) }
}

/** The entrypoint is that of the image; so is the command, when the step has none. */
function ownMain(
  { startup, command = [] }: StepConfig,
  [first]: Commands,
): { entrypoint: undefined; command: readonly string[] | undefined } {
  return { entrypoint: undefined, command: first ?? (startup === 'command' ? command : undefined) }
}

function hasTerminal({ container }: StepConfig): boolean {
  return byLowerName(container, 'container').get('tty') === true
}

async function runInService(
  engine: Engine,
  container: Container,
  service: Service,
  context: StepContext,
  commands: Commands,
): Promise<StepOutcome> {
  await startService(container, service, context.signal)
  return execAll(engine, container, commands, context, { env: [] })
}

/** Runs the commands in order until one fails. Leaves none of their processes in the container. */
async function execAll(
  engine: Engine,
  container: Container,
  commands: Commands,
  context: StepContext,
  options: DockerConfig['exec'],
): Promise<StepOutcome> {
  if (commands.length === 0) throw new ContainerFault('a step in a running container needs a command')
  const plan: Omit<ExecPlan, 'argv'> = {
    ...options,
    env: [...stepEnvironment(context), ...options.env],
    mark: randomUUID(),
  }
  try {
    for (const argv of commands) {
      const outcome = await runExec(engine, container, { ...plan, argv }, context)
      if (outcome.exitCode !== 0 || context.signal.aborted) return outcome
    }
    return { exitCode: 0, error: '' }
  } finally {
    await signalMarked(container, plan, 'SIGKILL')
  }
}

/** The step's own environment, with the mark by which the runner finds stray processes on this machine. */
function stepEnvironment({ step, env }: StepContext): string[] {
  const names = [...step.env.map(({ name }) => name), processMarkName]
  return names.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`]))
}

/** Removes the container. A failure is reported but does not change the outcome of the step, whose work is done. */
async function removeQuietly(engine: Engine, container: Container, { stderr }: StepContext): Promise<void> {
  try {
    await removeContainer(engine, container)
  } catch (error) {
    await stderr(Buffer.from(`${faultOf(error, engine).message}\n`))
  }
}
