import type Dockerode from 'dockerode'
import type { Engine } from './client.ts'
import type { CreateRequest } from './create-options.ts'
import { ContainerFault, faultOf, statusOf } from './engine-fault.ts'
import { pause, unlessAborted, unlessStuck } from './waiting.ts'

export type Container = Dockerode.Container

/** Maximum wait for an engine that does not answer, after a step has ended. Milliseconds. */
export const patienceMs = 10_000

/**
 * Creates a container. When the signal is aborted meanwhile, the container is removed as soon as it exists; aborting
 * the request would leave behind a container that nobody knows of.
 */
export async function createContainer(
  engine: Engine,
  { query, body, networks }: CreateRequest,
  signal: AbortSignal,
): Promise<Container> {
  signal.throwIfAborted()
  // Otherwise the client would also put the settings into the URL, whose length is limited.
  const options = { _query: query, _body: body } as Dockerode.ContainerCreateOptions
  const creating = engine.docker.createContainer(options)
  const container = await unlessStuck(creating, signal, patienceMs).catch((error: unknown) => {
    creating.then((late) => removeContainer(engine, late)).catch(() => undefined)
    throw error
  })
  try {
    signal.throwIfAborted()
    for (const [name, endpoint] of networks) {
      const { id } = container
      const joining = engine.docker.getNetwork(name).connect({ Container: id, EndpointConfig: endpoint })
      await unlessAborted(joining as Promise<unknown>, signal)
    }
    return container
  } catch (error) {
    await removeContainer(engine, container)
    throw error
  }
}

/**
 * Removes a container and its anonymous volumes, whatever it is doing. One that is already gone is not an error.
 * @throws ContainerFault when the engine cannot remove it in time
 */
export async function removeContainer(engine: Engine, container: Container): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs)
  for (let wait = 50; ; wait *= 2) {
    try {
      await container.remove({ force: true, v: true, abortSignal: signal })
      return
    } catch (error) {
      const status = statusOf(error)
      if (status === 404) return
      // 409: somebody else is removing it; 500: it has not quite ended, or its files are still in use.
      if ((status !== 409 && status !== 500) || signal.aborted) {
        const id = container.id.slice(0, 12)
        throw new ContainerFault(`the container ${id} cannot be removed: ${faultOf(error, engine).message}`)
      }
      await pause(wait, signal)
    }
  }
}

/** Sends a signal. Errors are ignored: the container has ended already, or the later removal reports the problem. */
export async function signalContainer(container: Container, signal: string): Promise<void> {
  try {
    await container.kill({ signal, abortSignal: AbortSignal.timeout(patienceMs) })
  } catch {
    // ignored, see above
  }
}

/** Stops a container by its own stop signal, and by SIGKILL after the clean-up time. */
export async function stopContainer(container: Container, cleanUpMs: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(cleanUpMs + patienceMs)
  try {
    await container.stop({ t: Math.ceil(cleanUpMs / 1_000), abortSignal })
  } catch {
    await signalContainer(container, 'SIGKILL')
  }
}

/** Inspects a container by name; undefined when it does not exist. */
export async function inspectContainer(
  container: Container,
  signal: AbortSignal,
): Promise<Dockerode.ContainerInspectInfo | undefined> {
  try {
    return await container.inspect({ abortSignal: signal })
  } catch (error) {
    if (statusOf(error) === 404) return undefined
    throw error
  }
}
