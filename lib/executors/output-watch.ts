import type { OutputSink } from './executor.ts'

/** Nothing for so long, milliseconds, is taken for the end of an output that somebody holds open. */
const silenceMs = 1_000
/** Somebody who never falls silent is heard for so long; time in which the sink held the sender back does not count. */
const chatterMs = 3_000
const lookEveryMs = silenceMs / 4

/**
 * Watches an output whose program has ended. A process that left its group or session may hold the pipe open for
 * ever, and what the program itself wrote may still wait for a slow store: closing at a fixed time would lose it.
 */
export interface OutputWatch {
  readonly watch: (sink: OutputSink) => OutputSink
  /** Calls `close` when nothing more is to be expected of the program, or settles with the output if it ends before. */
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
