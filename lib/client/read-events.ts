/** A server-sent event of this API. Its data is JSON. */
export interface ReceivedEvent {
  /** Cursor: send it as `Last-Event-ID` to continue after this event. */
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/**
 * Reads an event stream (WHATWG HTML, 9.2.6), as the `follow…` operations of the client return it, until it ends.
 * Leaving the loop closes the stream.
 * @throws the error of a broken connection
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent> {
  const decoder = new TextDecoder()
  // Safari does not iterate over streams.
  const reader = stream.getReader()
  let text = ''
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      text += decoder.decode(chunk.value, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = eventOf(text.slice(0, end))
        text = text.slice(end + 2)
        if (event !== undefined) yield event
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** @returns undefined for a heartbeat */
function eventOf(block: string): ReceivedEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data) }
}
