import type { DockerConfig, SharedContainer } from '#lib/definition/executor-config/docker-config.ts'
import type { StepContext } from '../executor.ts'
import type { Engine } from './client.ts'
import { createContainer, removeContainer, stopContainer, type Container } from './container.ts'
import { createRequest } from './create-options.ts'
import { labelsOf } from './labels.ts'
import { findOrCreate, judgeShared, requireRunning, type NameHolder } from './named-container.ts'
import { provideImage } from './pull.ts'
import { mainOf, startService } from './service.ts'
import { unlessAborted } from './waiting.ts'

/** A container that a step may use, and what to do when the step has ended. */
export interface Borrowed {
  readonly container: Container
  readonly giveBack: () => Promise<void>
}

interface Made {
  readonly container: Container
  readonly dispose: () => Promise<void>
}

/** By run, claim and engine. */
const ofRuns = new Map<string, Promise<Made>>()

/**
 * The container that all container steps of a run share. The first of them creates it; it is
 * removed when the run ends. A step without a run creates its own.
 */
export async function borrowShared(
  engine: Engine,
  context: StepContext,
  config: DockerConfig,
  shared: SharedContainer,
): Promise<Borrowed> {
  const { run, signal } = context
  const { image, containerName } = shared
  if (image === undefined) {
    return { container: await requireRunning(engine, containerName ?? '', signal), giveBack: nothing }
  }
  const make = (until: AbortSignal): Promise<Made> =>
    makeShared(engine, context, { ...config, ...shared, image }, until)
  if (run === undefined) {
    const { container, dispose } = await make(signal)
    return { container, giveBack: dispose }
  }
  const key = [run.runKey, run.token, engine.address].join(' ')
  let making = ofRuns.get(key)
  if (making === undefined) {
    // Other steps may be waiting for it too, so the end of the run aborts the creation, not the end of the first step.
    const over = new AbortController()
    const begun = make(over.signal)
    making = begun
    ofRuns.set(key, begun)
    begun.catch(() => ofRuns.delete(key))
    run.atEnd(async () => {
      ofRuns.delete(key)
      over.abort('stopped')
      await (await begun.catch(() => undefined))?.dispose()
    })
  }
  const { container } = await unlessAborted(making, signal)
  return { container, giveBack: nothing }
}

type Plan = SharedContainer & Pick<DockerConfig, 'registryAuths'> & { readonly image: string }

async function makeShared(
  engine: Engine,
  context: StepContext,
  plan: Plan,
  signal: AbortSignal,
): Promise<Made> {
  const { containerName: name } = plan
  await provideImage(engine, { ...plan, signal }, context)
  const create = (): Promise<Container> => {
    const labels = {
      ...labelsOf({ run: context.run, step: undefined }, !plan.autoRemove),
      'millrace.shared': 'true',
    }
    const options = { ...plan, ...mainOf(plan), env: [], labels, isLogKept: true, mayRestart: true }
    return createContainer(engine, createRequest(options, context, engine), signal)
  }
  const judge = (holder: NameHolder): 'use' | 'replace' => judgeShared(holder, context.run)
  const { container, isNew } =
    name === undefined
      ? { container: await create(), isNew: true }
      : await findOrCreate(engine, { name, signal, create, judge })
  if (!isNew) return { container, dispose: nothing }
  try {
    await startService(container, plan, signal)
  } catch (error) {
    await removeContainer(engine, container)
    throw error
  }
  return { container, dispose: () => dispose(engine, container, plan, context.cleanUpMs) }
}

/** A container that is kept is stopped; otherwise nobody would ever stop it. */
async function dispose(engine: Engine, container: Container, plan: Plan, cleanUpMs: number): Promise<void> {
  if (plan.startup !== 'keepalive' || !plan.autoRemove) await stopContainer(container, cleanUpMs)
  if (plan.autoRemove) await removeContainer(engine, container)
}

function nothing(): Promise<void> {
  return Promise.resolve()
}
