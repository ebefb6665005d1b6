import { randomUUID } from 'node:crypto'
import type { DockerConfig, SharedContainer } from '#lib/definition/executor-config/docker.ts'
import { processMarkName, type Executor, type StepContext, type StepOutcome } from '../executor.ts'
import { splitWords } from '../shell/split-words.ts'
import { openEngine, type Engine } from './client.ts'
import { createContainer, removeContainer, stopContainer, type Container } from './container.ts'
import { createRequest } from './create-options.ts'
import { ContainerFault, faultOf } from './engine-fault.ts'
import { byLowerName } from './engine-settings.ts'
import { labelsOf } from './labels.ts'
import { signalMarked } from './marked-processes.ts'
import { findOrCreate, requireRunning } from './place-name.ts'
import { provideImage } from './pull.ts'
import { runExec, type ExecPlan } from './run-exec.ts'
import { runMain } from './run-main.ts'
import { mainOf, startService, type Service } from './service.ts'
import { borrowShared } from './shared-container.ts'

/** Runs commands in containers, new ones or running ones, by the API of Docker (spec/behaviour.md 3.2). */
export const dockerExecutor: Executor = { type: 'docker', run: runDocker }

/** As {@link DockerConfig}; `container:` of a step gives how the container lives as well. */
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

/** Makes a container from the image, runs the step in it, removes it; a running one of its name is used instead. */
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

/** Several commands, or a container that must be ready first: it runs something else, and they are executed in it. */
function serviceOf(config: StepConfig, commands: Commands): Service | undefined {
  const { startup = 'keepalive', command = [], waitFor = 'running', logPattern } = config
  const isSpecial = startup !== 'keepalive' || waitFor !== 'running' || logPattern !== undefined
  if (commands.length === 0 || (commands.length === 1 && !isSpecial)) return undefined
  return { startup, command, waitFor, ...(logPattern !== undefined && { logPattern }) }
}

/** The entrypoint is the image's; without a command, so is the command (rule 4 of the document). */
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

/** Runs the commands one after the other until one fails, and lets nothing of them live on in the container. */
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

/** What the step itself sets, and the mark by which the runner's watchdog finds processes on this machine. */
function stepEnvironment({ step, env }: StepContext): string[] {
  const names = [...step.env.map(({ name }) => name), processMarkName]
  return names.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`]))
}

/** What the step did is done: that its container is left behind does not change its outcome, but is told. */
async function removeQuietly(engine: Engine, container: Container, { stderr }: StepContext): Promise<void> {
  try {
    await removeContainer(engine, container)
  } catch (error) {
    await stderr(Buffer.from(`${faultOf(error, engine).message}\n`))
  }
}
