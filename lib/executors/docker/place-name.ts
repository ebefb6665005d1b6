import type Dockerode from 'dockerode'
import type { RunOfStep } from '../executor.ts'
import type { Engine } from './client.ts'
import { inspectContainer, removeContainer, type Container } from './container.ts'
import { ContainerFault, statusOf } from './engine-fault.ts'
import { keepLabel, ownLabel } from './labels.ts'
import { requireName } from './names.ts'
import { pause } from './waiting.ts'

/** Another step that made a container starts it right away; one that is still not started then is a leftover. */
const startMs = 10_000
/** Of one that has ended and stays, its step still looks at the end. */
const lookMs = 300
const askMs = 100

/**
 * Finds a container by its name or identifier.
 * @throws ContainerFault when it does not run
 */
export async function requireRunning(engine: Engine, name: string, signal: AbortSignal): Promise<Container> {
  const container = engine.docker.getContainer(requireName(name, 'container'))
  const found = await inspectContainer(container, signal)
  if (found?.State.Running !== true) throw new ContainerFault(`the container ${name} is not running`)
  return engine.docker.getContainer(found.Id)
}

/** Who has a name that is wanted for a container. */
export type NameHolder = Dockerode.ContainerInspectInfo

export interface NameWish {
  readonly name: string
  readonly signal: AbortSignal
  /** Whether a running container is the one that is wanted, or makes room; or throws. */
  readonly judge: (holder: NameHolder) => 'use' | 'replace'
  readonly create: () => Promise<Container>
}

/**
 * Finds the running container of a name, or makes one. A stopped one of ours makes room; one of somebody else is
 * renamed, because what is in it may be wanted.
 */
export async function findOrCreate(
  engine: Engine,
  { name, signal, judge, create }: NameWish,
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
        // Another step was faster: its container is the one.
        if (!isNameTaken(error) || waited >= startMs) throw error
      }
    }
    await pause(askMs, signal)
  }
}

/** How long a container that does not run may be in the hands of another step, milliseconds. */
function patienceFor(holder: NameHolder): number {
  if (holder.State.Running) return 0
  if (['created', 'removing'].includes(holder.State.Status)) return startMs
  if (!isOurs(holder)) return 0
  return holder.Config.Labels[keepLabel] === undefined ? startMs : lookMs
}

/** Podman has no status of its own for that. */
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
 * Decides what becomes of a running container that has the name of a DAG's own one.
 * @throws ContainerFault when another run uses it, which would end it under our hands
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
