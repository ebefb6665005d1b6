export interface SeenEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** Reads server-sent events as a browser does (WHATWG HTML, 9.2.6), one after the other. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #decoder = new TextDecoder()
  #text = ''

  constructor(response: Response) {
    if (response.body === null) throw new Error(`no body: ${response.status}`)
    this.#reader = response.body.getReader()
  }

  /** Waits for the next event. Undefined at the end of the stream. */
  async next(): Promise<SeenEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        const event = parse(block)
        if (event !== undefined) return event
        continue
      }
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#text += this.#decoder.decode(value, { stream: true })
    }
  }

  async rest(): Promise<SeenEvent[]> {
    const events: SeenEvent[] = []
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event)
    return events
  }

  close(): Promise<void> {
    return this.#reader.cancel()
  }
}

function parse(block: string): SeenEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data) }
}
