import type Dockerode from 'dockerode'
import type { Engine } from './client.ts'
import type { CreateRequest } from './create-options.ts'
import { ContainerFault, faultOf, statusOf } from './engine-fault.ts'
import { pause, unlessAborted, unlessStuck } from './waiting.ts'

export type Container = Dockerode.Container

/** An engine that does not answer is not waited for longer than that when a step has ended, milliseconds. */
export const patienceMs = 10_000

/**
 * Makes a container. When the signal comes meanwhile, it is removed as soon as it is there: breaking off the request
 * would leave a container behind that nobody knows.
 */
export async function createContainer(
  engine: Engine,
  { query, body, networks }: CreateRequest,
  signal: AbortSignal,
): Promise<Container> {
  signal.throwIfAborted()
  // The client would put all of the settings into the address as well, which has a limit.
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
 * Removes a container with its nameless volumes, whatever it is doing. One that is gone already is no fault.
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
      // 409: somebody else is removing it; 500: it is not quite dead, or its files are still in use.
      if ((status !== 409 && status !== 500) || signal.aborted) {
        const id = container.id.slice(0, 12)
        throw new ContainerFault(`the container ${id} cannot be removed: ${faultOf(error, engine).message}`)
      }
      await pause(wait, signal)
    }
  }
}

/** Sends a signal. What goes wrong is no fault: it runs no more, or the removal that follows tells. */
export async function signalContainer(container: Container, signal: string): Promise<void> {
  try {
    await container.kill({ signal, abortSignal: AbortSignal.timeout(patienceMs) })
  } catch {
    // See above.
  }
}

/** Ends a container as it wants to be ended, by SIGKILL after the clean-up time. */
export async function stopContainer(container: Container, cleanUpMs: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(cleanUpMs + patienceMs)
  try {
    await container.stop({ t: Math.ceil(cleanUpMs / 1_000), abortSignal })
  } catch {
    await signalContainer(container, 'SIGKILL')
  }
}

/** What there is of a container by its name; undefined when it does not exist. */
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
