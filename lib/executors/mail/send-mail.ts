import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import type { SmtpServer } from '#lib/definition/definition.ts'
import { readAddresses, refuseLineBreak } from './addresses.ts'

export interface Mail {
  /** Empty: nobody, as notices may have it. */
  readonly from: string
  /** Each may hold several addresses behind commas. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text?: string
  readonly html?: string
  /** A body of any other type. */
  readonly other?: { readonly contentType: string; readonly content: string }
  readonly attachments: readonly ({ readonly filename: string } & (
    | { readonly path: string }
    | { readonly content: Buffer }
  ))[]
}

/** For each answer of a server; the step's own limit may be shorter. */
const answerWithinMs = 30_000

/**
 * Sends one mail. TLS is used where the server offers it, and from the first byte on port 465; a password is sent
 * without only within this machine.
 * @param signal ends the connection, whatever it is doing
 * @throws Error of the server or the connection; also when the server takes the mail for some only
 */
export async function sendMail(server: SmtpServer, mail: Mail, signal: AbortSignal): Promise<void> {
  const port = Number(server.port === '' ? 25 : server.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`the port of smtp must be 1 to 65535, is ${JSON.stringify(server.port)}`)
  }
  if (server.host.trim() === '') throw new Error('smtp needs host, the server to send mail through')
  refuseLineBreak('subject', mail.subject)
  const [from] = readAddresses('from', [mail.from])
  const to = readAddresses('to', mail.to)
  if (to.length === 0) throw new Error('to names nobody')
  const socket = connect({ host: server.host, port, signal })
  socket.on('error', () => undefined) // told by what waits for it
  try {
    await connected(socket, `${server.host}:${port}`, signal)
    const { host, username = '', password = '' } = server
    const transport = createTransport({
      connection: socket,
      host,
      port,
      secure: port === 465,
      requireTLS: username !== '' && !isLoopback(socket.remoteAddress ?? ''),
      ...(username !== '' && { auth: { user: username, pass: password } }),
      greetingTimeout: answerWithinMs,
      socketTimeout: answerWithinMs,
      disableUrlAccess: true,
    })
    const { other, ...rest } = mail
    const { rejected, rejectedErrors } = await transport.sendMail({
      ...rest,
      ...(other !== undefined && { alternatives: [other] }),
      from,
      to: [...to],
      attachments: [...mail.attachments],
    })
    if (rejected.length === 0) return
    const why = rejectedErrors?.map(({ message }) => message).join('; ') ?? ''
    throw new Error(`the mail was sent, but not to ${rejected.join(', ')}: ${why}`)
  } finally {
    socket.destroy()
  }
}

async function connected(socket: Socket, name: string, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.timeout(answerWithinMs)
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, limit]) })
  } catch (error) {
    if (limit.aborted && !signal.aborted) {
      throw new Error(`${name} did not answer within ${answerWithinMs / 1_000} seconds`, { cause: error })
    }
    // Several addresses of one name that all refuse come as an error without a text.
    const { message, code } = error as NodeJS.ErrnoException
    throw message === '' ? new Error(`connect ${code ?? 'failed'} ${name}`, { cause: error }) : error
  }
}

/** An address of this machine, where nobody listens in. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
