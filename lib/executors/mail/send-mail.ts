import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import type { SmtpServer } from '#lib/definition/definition.ts'
import { guardedLookup, refusal, type AddressRule } from '../metadata-addresses.ts'
import { readAddresses, refuseLineBreak } from './addresses.ts'

export interface Mail {
  /** Empty: no sender, which notifications may have. */
  readonly from: string
  /** Each text may contain several addresses, separated by commas. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text?: string
  readonly html?: string
  /** A body of another content type. */
  readonly other?: { readonly contentType: string; readonly content: string }
  readonly attachments: readonly { readonly filename: string; readonly content: Buffer | Readable }[]
}

/** Timeout of each answer of the server, milliseconds; the step's own time limit may be shorter. */
const answerWithinMs = 30_000

/**
 * Sends one mail. Uses TLS where the server offers it, and from the first byte on port 465. A password is sent without
 * TLS only to this machine.
 * @param signal closes the connection at once
 * @throws Error of the server or the connection; also when the server refuses some of the recipients
 */
export async function sendMail(
  server: SmtpServer,
  mail: Mail,
  { signal, isAllowed }: { readonly signal: AbortSignal; readonly isAllowed: AddressRule },
): Promise<void> {
  const port = Number(server.port === '' ? 25 : server.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`the port of smtp must be 1 to 65535, is ${JSON.stringify(server.port)}`)
  }
  if (server.host.trim() === '') throw new Error('smtp needs host, the server to send mail through')
  refuseLineBreak('subject', mail.subject)
  const [from] = readAddresses('from', [mail.from])
  const to = readAddresses('to', mail.to)
  if (to.length === 0) throw new Error('to has no address')
  const bare = server.host.trim().replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0 && !isAllowed(bare)) throw refusal(bare)
  const socket = connect({ host: bare, port, signal, lookup: guardedLookup(isAllowed) })
  socket.on('error', () => undefined) // reported by whatever waits for the socket
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
    // When all addresses of a host name refuse, the combined error has no message.
    const { message, code } = error as NodeJS.ErrnoException
    throw message === '' ? new Error(`connect ${code ?? 'failed'} ${name}`, { cause: error }) : error
  }
}

/** Whether the address is of this machine, where nobody can eavesdrop. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
