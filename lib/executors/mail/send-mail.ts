import { once } from 'node:events'
import { connect } from 'node:net'
import { createTransport } from 'nodemailer'
import type { SmtpServer } from '#lib/definition/definition.ts'

export interface Mail {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text?: string
  readonly html?: string
  readonly attachments: readonly ({ readonly filename: string } & (
    | { readonly path: string }
    | { readonly content: Buffer }
  ))[]
}

/** For each answer of a server; the step's own limit may be shorter. */
const answerWithinMs = 30_000

/**
 * Sends one mail. TLS is used where the server offers it, and from the first byte on port 465.
 * @param signal ends the connection, whatever it is doing
 * @throws Error of the server or the connection
 */
export async function sendMail(server: SmtpServer, mail: Mail, signal: AbortSignal): Promise<void> {
  const port = Number(server.port === '' ? 25 : server.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`the port of smtp must be 1 to 65535, is ${JSON.stringify(server.port)}`)
  }
  const socket = connect({ host: server.host, port, signal })
  socket.on('error', () => undefined) // told by what waits for it
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]) })
    const transport = createTransport({
      connection: socket,
      host: server.host,
      port,
      secure: port === 465,
      ...(server.username !== undefined && { auth: { user: server.username, pass: server.password ?? '' } }),
      greetingTimeout: answerWithinMs,
      socketTimeout: answerWithinMs,
      disableUrlAccess: true,
    })
    await transport.sendMail({ ...mail, to: [...mail.to], attachments: [...mail.attachments] })
  } finally {
    socket.destroy()
  }
}
