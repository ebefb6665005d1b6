import { asServiceError } from './error-body.ts'

/**
 * A list of any length as an answer. It is written while its pages are read, and is never held in memory as a whole.
 */
export class Rows {
  /** The field of the answer that contains the list. */
  readonly field: string
  readonly pages: AsyncIterable<readonly object[]> | Iterable<readonly object[]>
  /** Fields after the list. */
  readonly rest: Readonly<Record<string, unknown>>

  constructor(field: string, pages: Rows['pages'], rest: Rows['rest']) {
    this.field = field
    this.pages = pages
    this.rest = rest
  }
}

export const ndjson = 'application/x-ndjson'

/**
 * Streams rows as one JSON object, or as one row per line. The next page is read when the previous one was consumed, so
 * a slow client blocks nobody, and a client that disconnects ends the reading. An error after the first page aborts the
 * connection, since what was written is not a complete document.
 * @throws the error of the first page, as nothing has been answered by then
 */
export async function rowsBody(
  { field, pages, rest }: Rows,
  options: { readonly asLines: boolean; readonly check: (page: readonly object[]) => void },
): Promise<ReadableStream<Uint8Array>> {
  const reading = read(pages)
  const first = await reading.next()
  const pieces = options.asLines ? lines() : document()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        // The server may send the message of the error.
        const piece = await pieces.next().catch((error: unknown) => Promise.reject(asServiceError(error)))
        if (piece.done) controller.close()
        else controller.enqueue(encoder.encode(piece.value))
      },
      cancel: async () => {
        await pieces.return(undefined)
        await reading.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )

  async function* checked(): AsyncGenerator<readonly object[]> {
    for (let page = first; !page.done; page = await reading.next()) {
      options.check(page.value)
      if (page.value.length > 0) yield page.value
    }
  }

  async function* lines(): AsyncGenerator<string> {
    for await (const page of checked()) yield page.map((row) => `${JSON.stringify(row)}\n`).join('')
  }

  async function* document(): AsyncGenerator<string> {
    let lead = `{${JSON.stringify(field)}:[`
    for await (const page of checked()) {
      yield lead + JSON.stringify(page).slice(1, -1)
      lead = ','
    }
    const end = Object.entries(rest).map(
      ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
    )
    yield `${lead === ',' ? '' : lead}]${end.join('')}}`
  }
}

async function* read(pages: Rows['pages']): AsyncGenerator<readonly object[]> {
  yield* pages
}
