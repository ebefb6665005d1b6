import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

export interface Received {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  readonly user: string | undefined
  readonly mail: Email
}

export interface Mailbox {
  readonly port: string
  /** The mails so far. A test may empty it. */
  readonly received: Received[]
  readonly close: () => Promise<void>
}

/** A real SMTP server on this machine. The password is `s3cret`; `nobody@…` has no mailbox. */
export async function openMailbox(): Promise<Mailbox> {
  const received: Received[] = []
  const receive = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> => {
    const { mailFrom, rcptTo } = session.envelope
    const from = mailFrom === false ? '' : mailFrom.address
    const to = rcptTo.map((one) => one.address)
    const mail = await PostalMime.parse(await buffer(stream))
    received.push({ envelope: { from, to }, user: session.user, mail })
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      password === 's3cret' ? done(null, { user: username }) : done(new Error('wrong password')),
    onRcptTo: ({ address }, _, done) =>
      address.startsWith('nobody@') ? done(new Error('no such mailbox')) : done(),
    onData: (stream, session, done) => {
      receive(stream, session).then(
        () => done(),
        (error: unknown) => done(error as Error),
      )
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: String((listening.address() as AddressInfo).port),
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
