import type { Readable } from 'node:stream'
import type { OutputSink } from './executor.ts'

/** Pipes a stream to a sink in order, with back-pressure. */
export async function pipeOutput(
  stream: Readable,
  sink: OutputSink,
  onFailure: (error: unknown) => void,
): Promise<void> {
  let failed = false
  const fail = (error: unknown): void => {
    failed = true
    onFailure(error)
  }
  await new Promise<void>((resolve) => {
    let writing: Promise<void> | undefined
    stream.on('data', (bytes: Buffer) => {
      if (failed) return
      try {
        const held = sink(bytes)
        if (held === undefined) return
        stream.pause()
        writing = held.catch(fail).finally(() => {
          stream.resume()
        })
      } catch (error) {
        fail(error)
      }
    })
    stream.once('error', () => {
      // A destroyed pipe has no more output.
    })
    stream.once('close', () => {
      if (writing === undefined) resolve()
      else void writing.then(resolve)
    })
  })
}
