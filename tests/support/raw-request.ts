import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Opens a connection and sends a text unchanged. */
export function dial(url: string, text: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname, function (this: Socket) {
    this.write(text, 'latin1')
  })
}

/** Sends a text unchanged, and reads until the server closes the connection. @returns all responses in order */
export async function sendRaw(url: string, text: string): Promise<RawAnswer[]> {
  const socket = dial(url, text)
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  await new Promise<void>((resolve) => {
    socket.on('error', () => undefined)
    socket.once('close', () => resolve())
  })
  return answersOf(Buffer.concat(pieces).toString('latin1'))
}

/** Parses the responses that a connection received. */
export function answersOf(text: string): RawAnswer[] {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return []
  const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? text.length)
  const answer = { status: Number(first.split(' ')[1]), headers, body: text.slice(headEnd + 4, bodyEnd) }
  return [answer, ...answersOf(text.slice(bodyEnd))]
}
