import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Log } from '#lib/telemetry/log.ts'
import { splitEnvironment } from './hand-environment.mjs'

const script = fileURLToPath(new URL('bundled.mjs', import.meta.url))
/** Otherwise V8's young generation grows to 96 MB in a busy runner, which each spawned process shares at first. */
const smallHeap = '--max-semi-space-size=4'
const restartAfterMs = { least: 250, most: 15_000 }

/** The runner of the local server: a separate process, restarted when it dies. */
export interface RunnerProcess {
  /** Stops it in order: running steps get the grace time. */
  stop(): Promise<void>
  /** Kills it at once; its warden kills the running steps. */
  kill(): void
}

/**
 * Starts the runner in its own session, so Ctrl-C reaches only the server, which then stops the runner in order. Its
 * standard input is a pipe that delivers settings hidden from steps, and closes when the server ends, even if killed.
 * @param endWithinMs time to end after it is stopped; then it is killed
 */
export function superviseRunner(
  environment: Readonly<Record<string, string | undefined>>,
  log: Log,
  endWithinMs: number,
): RunnerProcess {
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let pause = restartAfterMs.least

  const { shown, line } = splitEnvironment(environment, 0)
  const start = (): void => {
    const startedAt = Date.now()
    const args = [smallHeap, script, 'runner', '--with-parent']
    child = spawn(process.execPath, args, {
      env: shown,
      stdio: ['pipe', 'inherit', 'inherit'],
      detached: true,
    })
    child.stdin?.on('error', () => {})
    child.stdin?.write(line)
    const ended = (why: Readonly<Record<string, unknown>>): void => {
      child = undefined
      if (stopping) return
      pause =
        Date.now() - startedAt > 60_000 ? restartAfterMs.least : Math.min(pause * 2, restartAfterMs.most)
      log.error(
        { event: 'runner.ended', ...why, restartInMs: pause },
        'the runner ended and is started again',
      )
      timer = setTimeout(start, pause)
    }
    // A process that fails to start emits no exit event.
    child.once('error', (error) => child?.pid === undefined && ended({ error }))
    child.once('exit', (code, signal) => ended({ code, signal }))
  }
  start()

  return {
    async stop() {
      stopping = true
      clearTimeout(timer)
      if (child === undefined) return
      const { pid } = child
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const kill = setTimeout(() => {
        log.error({ event: 'runner.ended', runner: pid }, 'the runner did not end in time and is killed')
        child?.kill('SIGKILL')
      }, endWithinMs)
      await gone
      clearTimeout(kill)
    },
    kill() {
      child?.kill('SIGKILL')
    },
  }
}
