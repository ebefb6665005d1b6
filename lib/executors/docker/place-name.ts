import type Dockerode from 'dockerode'
import type { RunOfStep } from '../executor.ts'
import type { Engine } from './client.ts'
import { inspectContainer, removeContainer, type Container } from './container.ts'
import { ContainerFault, statusOf } from './engine-fault.ts'
import { ownLabel } from './labels.ts'
import { requireName } from './names.ts'
import { pause } from './stop.ts'

/** Another step that made a container starts it right away; one that is still not started then is a leftover. */
const startMs = 10_000
const askMs = 100

/** @returns the container of that name when it runs, otherwise undefined */
export async function findRunning(
  engine: Engine,
  name: string,
  signal: AbortSignal,
): Promise<Container | undefined> {
  const container = engine.docker.getContainer(requireName(name, 'container'))
  const found = await inspectContainer(container, signal)
  return found?.State.Running === true ? engine.docker.getContainer(found.Id) : undefined
}

/** Who holds a name when it is wanted for a new container. */
export type NameHolder = Dockerode.ContainerInspectInfo

/**
 * Finds the running container of a name, or makes one. A stopped one of ours makes room; one of somebody else is
 * renamed, because what is in it may be wanted.
 */
export async function findOrCreate<T>(
  engine: Engine,
  name: string,
  signal: AbortSignal,
  {
    onRunning,
    create,
  }: {
    readonly onRunning: (holder: NameHolder) => Promise<T | 'replace'>
    readonly create: () => Promise<T>
  },
): Promise<T> {
  const named = engine.docker.getContainer(requireName(name, 'container'))
  for (let waited = 0; ; waited += askMs) {
    signal.throwIfAborted()
    const holder = await inspectContainer(named, signal)
    if (holder?.State.Running === true) {
      const used = await onRunning(holder)
      if (used !== 'replace') return used
    }
    const isStarting = holder?.State.Status === 'created' || holder?.State.Status === 'removing'
    if (isStarting && waited < startMs) {
      await pause(askMs, signal)
      continue
    }
    if (holder !== undefined) await makeRoom(engine, holder, name)
    try {
      return await create()
    } catch (error) {
      // 409: another step was faster.
      if (statusOf(error) !== 409 || waited >= startMs) throw error
      await pause(askMs, signal)
    }
  }
}

async function makeRoom(engine: Engine, holder: NameHolder, name: string): Promise<void> {
  const container = engine.docker.getContainer(holder.Id)
  if (isOurs(holder)) return removeContainer(engine, container)
  try {
    await container.rename({ name: `${requireName(name, 'container')}-${holder.Id.slice(0, 12)}` })
  } catch (error) {
    if (statusOf(error) !== 404) throw error
  }
}

/**
 * Decides what becomes of a running container that has the name of a DAG's own one.
 * @throws ContainerFault when another run uses it, which would end it under our hands
 */
export function refuseOtherRun(
  holder: NameHolder,
  name: string,
  run: RunOfStep | undefined,
): 'use' | 'replace' {
  if (!isOurs(holder)) return 'use'
  const { Labels } = holder.Config
  if (run !== undefined && Labels['millrace.run-id'] === run.runId && Labels[ownLabel] !== run.token)
    return 'replace'
  throw new ContainerFault(`the container ${name} belongs to another run, which is not over`)
}

function isOurs({ Config }: NameHolder): boolean {
  return Config.Labels[ownLabel] !== undefined
}
