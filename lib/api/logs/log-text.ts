import { randomUUID } from 'node:crypto'
import { asServiceError } from '#lib/api/answers/error-body.ts'

/** An answer of which one text is read from a log while it is sent, so that it is never held in memory as a whole. */
export class LogText<Answer extends object = object> {
  /** Bytes of the text, which need not be UTF-8. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** Comes after them. */
  readonly ending: string
  /** The answer around the text. Fields after the text may depend on what was read of it. */
  readonly shape: (content: string) => Answer

  constructor(pieces: AsyncIterable<Uint8Array>, ending: string, shape: (content: string) => Answer) {
    this.pieces = pieces
    this.ending = ending
    this.shape = shape
  }

  /** The same text in another answer. */
  map<Other extends object>(change: (answer: Answer) => Other): LogText<Other> {
    return new LogText(this.pieces, this.ending, (content) => change(this.shape(content)))
  }
}

/** Stands for the text in the JSON of the answer around it. */
const mark = randomUUID()

/**
 * The JSON of the answer, piece by piece, as the client takes it.
 * @param release called once when everything was sent, or the client has gone
 * @throws the error of the first piece, as nothing has been answered by then
 */
export async function logTextBody(
  { pieces, ending, shape }: LogText,
  release: () => void,
): Promise<ReadableStream<Uint8Array>> {
  const around = (): string[] => JSON.stringify(shape(mark)).split(mark)
  const [before = ''] = around()
  const reading = pieces[Symbol.asyncIterator]()
  const end = async (): Promise<void> => {
    release()
    await reading.return?.()
  }
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  const inner = (text: string): string => JSON.stringify(text).slice(1, -1)
  let next: IteratorResult<Uint8Array, unknown> | undefined
  try {
    next = await reading.next()
  } catch (error) {
    release()
    throw error
  }
  let lead = before
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const piece = next ?? (await reading.next())
          next = undefined
          const text = piece.done ? decoder.decode() + ending : decoder.decode(piece.value, { stream: true })
          controller.enqueue(encoder.encode(lead + inner(text) + (piece.done ? (around()[1] ?? '') : '')))
          lead = ''
          if (!piece.done) return
          controller.close()
          await end()
        } catch (error) {
          await end()
          // The server may send the message of the error.
          throw asServiceError(error)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
