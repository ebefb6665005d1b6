import type { OutputSink } from './executor.ts'

/** After this silence, output that a leftover process holds open counts as ended. Milliseconds. */
const silenceMs = 1_000
/**
 * Output of a leftover process that never falls silent is read for this long; time under back-pressure does not count.
 */
const chatterMs = 3_000
const lookEveryMs = silenceMs / 4

/**
 * Decides when the output of an ended program is complete. A process that left its group or session may hold the pipe
 * open forever, while output of the program itself may still wait for a slow store; a fixed deadline would lose it.
 */
export interface OutputWatch {
  readonly watch: (sink: OutputSink) => OutputSink
  /** Calls `close` when no more output of the program is expected; settles earlier when the output ends by itself. */
  readonly closeInSilence: (close: () => void, drained: Promise<unknown>) => Promise<void>
}

export function watchOutput(): OutputWatch {
  let held = 0
  let latest = performance.now()
  const watch =
    (sink: OutputSink): OutputSink =>
    (bytes) => {
      latest = performance.now()
      const writing = sink(bytes)
      if (writing === undefined) return undefined
      held += 1
      return writing.finally(() => {
        held -= 1
        latest = performance.now()
      })
    }
  const closeInSilence = async (close: () => void, drained: Promise<unknown>): Promise<void> => {
    let heardMs = 0
    const timer = setInterval(() => {
      if (held > 0) return
      heardMs += lookEveryMs
      if (heardMs >= chatterMs || performance.now() - latest >= silenceMs) close()
    }, lookEveryMs)
    await drained.finally(() => clearInterval(timer))
  }
  return { watch, closeInSilence }
}
