import type { Readable } from 'node:stream'
import type { SharedContainer } from '#lib/definition/executor-config/docker-config.ts'
import { lookForPattern } from '#lib/definition/values/line-patterns.ts'
import { readPattern } from '#lib/definition/values/pattern.ts'
import { inTurns } from '../in-turns.ts'
import { inspectContainer, type Container } from './container.ts'
import { ContainerFault } from './engine-fault.ts'
import { FrameSplitter } from './output.ts'
import { pause } from './waiting.ts'

/** A container in which commands are executed: how it is kept alive, and when it is ready. */
export type Service = Pick<SharedContainer, 'startup' | 'command' | 'waitFor' | 'logPattern'>

/** Maximum time until a container is ready, milliseconds. */
const readyMs = 120_000
const askMs = 250
/** Only the end of a longer log line is searched. */
const lineMax = 65_536

/** Idles, exits at once when asked to, and reaps processes that commands leave behind. */
const idle = 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done'

/** The main program of the container. */
export function mainOf({ startup, command }: Service): {
  entrypoint: readonly string[] | undefined
  command: readonly string[] | undefined
} {
  if (startup === 'keepalive') return { entrypoint: ['sh', '-c', idle], command: [] }
  return { entrypoint: undefined, command: startup === 'command' ? command : undefined }
}

/**
 * Starts a container and waits until it is ready.
 * @throws ContainerFault when it ends, or is not ready in time
 */
export async function startService(
  container: Container,
  service: Service,
  signal: AbortSignal,
): Promise<void> {
  await container.start({ abortSignal: signal })
  const late = AbortSignal.timeout(readyMs)
  const bound = AbortSignal.any([signal, late])
  try {
    if (service.waitFor === 'healthy') await untilHealthy(container, bound)
    if (service.logPattern !== undefined) await untilLogged(container, service.logPattern, bound)
    await requireRunning(container, bound)
  } catch (error) {
    signal.throwIfAborted()
    if (!late.aborted) throw error
    throw new ContainerFault(`the container was not ready within ${readyMs / 1_000} s`)
  }
}

async function requireRunning(container: Container, signal: AbortSignal): Promise<void> {
  const state = (await inspectContainer(container, signal))?.State
  if (state?.Running === true) return
  const end = state === undefined ? '' : ` with exit status ${state.ExitCode}`
  throw new ContainerFault(`the container ended${end} before it was ready`)
}

async function untilHealthy(container: Container, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    await requireRunning(container, signal)
    const health = (await inspectContainer(container, signal))?.State.Health
    if (health === undefined || health.Status === 'none') {
      throw new ContainerFault('waitFor: healthy needs an image with a health check')
    }
    if (health.Status === 'healthy') return
    await pause(askMs, signal)
  }
}

async function untilLogged(container: Container, text: string, signal: AbortSignal): Promise<void> {
  const pattern = readPattern(text)
  if ('fault' in pattern) throw new ContainerFault(`logPattern: ${pattern.fault}`)
  const options = { follow: true, stdout: true, stderr: true, abortSignal: signal } as const
  const { Config } = await container.inspect({ abortSignal: signal })
  const log = (await container.logs(options)) as Readable
  const splitter = new FrameSplitter()
  const decoder = new TextDecoder()
  let line = ''
  try {
    for await (const chunk of log as AsyncIterable<Buffer>) {
      const pieces = Config.Tty ? [chunk] : Array.from(splitter.split(chunk), ({ bytes }) => bytes)
      const added = decoder.decode(Buffer.concat(pieces), { stream: true })
      const seen = line + added
      // Also in the last line, which may not be complete: a prompt never is.
      if (await inTurns(lookForPattern(text)(seen, true))) return
      line = seen.slice(Math.max(seen.lastIndexOf('\n') + 1, seen.length - lineMax))
    }
  } finally {
    log.destroy()
  }
  await requireRunning(container, signal)
  throw new ContainerFault(`the log of the container ended without ${JSON.stringify(text)}`)
}
