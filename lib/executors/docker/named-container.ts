import type Dockerode from 'dockerode'
import type { RunOfStep } from '../executor.ts'
import type { Engine } from './client.ts'
import { inspectContainer, removeContainer, type Container } from './container.ts'
import { ContainerFault, statusOf } from './engine-fault.ts'
import { keepLabel, ownLabel } from './labels.ts'
import { requireName } from './names.ts'
import { pause } from './waiting.ts'

/**
 * A step starts its container right after creating it; one that is not started after this time is a leftover.
 * Milliseconds.
 */
const startMs = 10_000
/** Another step still needs this long to inspect its container after the end, milliseconds. */
const lookMs = 300
const askMs = 100

/**
 * Finds a container by name or id.
 * @throws ContainerFault when it is not running
 */
export async function requireRunning(engine: Engine, name: string, signal: AbortSignal): Promise<Container> {
  const container = engine.docker.getContainer(requireName(name, 'container'))
  const found = await inspectContainer(container, signal)
  if (found?.State.Running !== true) throw new ContainerFault(`the container ${name} is not running`)
  return engine.docker.getContainer(found.Id)
}

/** The container that currently has a wanted name. */
export type NameHolder = Dockerode.ContainerInspectInfo

export interface NamedContainerRequest {
  readonly name: string
  readonly signal: AbortSignal
  /** Decides about a running container of the name: use it, or replace it; or throws. */
  readonly judge: (holder: NameHolder) => 'use' | 'replace'
  readonly create: () => Promise<Container>
}

/**
 * Finds the running container of a name, or creates one. A stopped container that the service created is removed; any
 * other is renamed, because its content may be wanted.
 */
export async function findOrCreate(
  engine: Engine,
  { name, signal, judge, create }: NamedContainerRequest,
): Promise<{ readonly container: Container; readonly isNew: boolean }> {
  const named = engine.docker.getContainer(requireName(name, 'container'))
  for (let waited = 0; ; waited += askMs) {
    signal.throwIfAborted()
    const holder = await inspectContainer(named, signal)
    if (holder?.State.Running === true && judge(holder) === 'use') {
      return { container: engine.docker.getContainer(holder.Id), isNew: false }
    }
    if (holder === undefined || waited >= patienceFor(holder)) {
      if (holder !== undefined) await makeRoom(engine, holder, name)
      try {
        return { container: await create(), isNew: true }
      } catch (error) {
        // Another step created the container first; that one is used.
        if (!isNameTaken(error) || waited >= startMs) throw error
      }
    }
    await pause(askMs, signal)
  }
}

/** How long a container that is not running may still belong to another step, milliseconds. */
function patienceFor(holder: NameHolder): number {
  if (holder.State.Running) return 0
  if (['created', 'removing'].includes(holder.State.Status)) return startMs
  if (!isOurs(holder)) return 0
  return holder.Config.Labels[keepLabel] === undefined ? startMs : lookMs
}

/** Podman has no status code of its own for that. */
function isNameTaken(error: unknown): boolean {
  return statusOf(error) === 409 || (error instanceof Error && error.message.includes('already in use'))
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
 * Decides what happens to a running container with the name that a DAG gives its own container.
 * @throws ContainerFault when another run uses it, and would remove it while we need it
 */
export function judgeShared({ Name, Config }: NameHolder, run: RunOfStep | undefined): 'use' | 'replace' {
  const { Labels } = Config
  if (Labels[ownLabel] === undefined) return 'use'
  if (run !== undefined && Labels['millrace.run-id'] === run.runId && Labels[ownLabel] !== run.token)
    return 'replace'
  throw new ContainerFault(
    `the container ${Name.replace(/^\//, '')} belongs to another run, which is not over`,
  )
}

function isOurs({ Config }: NameHolder): boolean {
  return Config.Labels[ownLabel] !== undefined
}
