import { asServiceError } from './error-body.ts'
import type { TakeSlot } from '#lib/api/requests/share-slots.ts'

/** An answer of any length, sent as its bytes come. */
export class Streamed {
  readonly pieces: AsyncIterable<Uint8Array>
  readonly headers: Readonly<Record<string, string>>
  /** Bounds how many are sent at the same time; absent: as logs are. */
  readonly take: TakeSlot | undefined

  constructor(pieces: AsyncIterable<Uint8Array>, headers: Readonly<Record<string, string>>, take?: TakeSlot) {
    this.pieces = pieces
    this.headers = headers
    this.take = take
  }
}

/**
 * The bytes, as the client takes them.
 * @param release called once when everything was sent, or the client has gone
 */
export function streamedBody({ pieces }: Streamed, release: () => void): ReadableStream<Uint8Array> {
  const reading = pieces[Symbol.asyncIterator]()
  const end = async (): Promise<void> => {
    release()
    await reading.return?.()
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reading.next()
          if (done !== true) return controller.enqueue(value)
          controller.close()
          release()
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
