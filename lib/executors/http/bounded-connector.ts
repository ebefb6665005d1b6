import type { buildConnector } from 'undici'
import { limits } from '#lib/core/limits.ts'

type Connector = ReturnType<typeof buildConnector>

/** How often the bytes are looked at. */
const lookMs = 250

/**
 * A connector whose connections break off when they have received more than `limits.httpAnswerBytesMax`: the parser
 * reads status lines, interim answers and the framing of chunks without an end, and none of it is of the body.
 */
export function boundedConnector(connect: Connector): Connector {
  return (target, done) => {
    connect(target, (...outcome) => {
      const [, socket] = outcome
      if (socket !== null && socket !== undefined) {
        const timer = setInterval(() => {
          if (socket.bytesRead > limits.httpAnswerBytesMax) socket.destroy(tooLarge())
        }, lookMs).unref()
        socket.once('close', () => clearInterval(timer))
      }
      done(...outcome)
    })
  }
}

const tooLarge = (): Error =>
  new Error(`the answer with its headers and framing is larger than ${limits.httpAnswerBytesMax} bytes`)
