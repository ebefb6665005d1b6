import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailExecutor } from '#lib/executors/mail/run.ts'
import { stepContext } from '../step-context.ts'

interface Received {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  readonly user: string | undefined
  readonly mail: Email
}

const received: Received[] = []
let server: SMTPServer
let silent: Server
let port = ''
let silentPort = ''

async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
  const { mailFrom, rcptTo } = session.envelope
  const from = mailFrom === false ? '' : mailFrom.address
  const to = rcptTo.map((one) => one.address)
  const mail = await PostalMime.parse(await buffer(stream))
  received.push({ envelope: { from, to }, user: session.user, mail })
}

beforeAll(async () => {
  server = new SMTPServer({
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
  silent = createServer().listen(0, '127.0.0.1')
  await Promise.all([once(listening, 'listening'), once(silent, 'listening')])
  port = String((listening.address() as AddressInfo).port)
  silentPort = String((silent.address() as AddressInfo).port)
})

afterAll(async () => {
  await new Promise<void>((resolve) => server.close(resolve))
  silent.close()
})

beforeEach(() => received.splice(0))

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mail-step-')))

function mail(config: Record<string, unknown>, smtp: Record<string, unknown> = {}) {
  const base = {
    from: 'jobs@example.org',
    to: ['ann@example.org'],
    subject: 'hello',
    message: 'text',
    attachments: [],
  }
  const all = { ...base, ...config, smtp: { host: '127.0.0.1', port, ...smtp } }
  return stepContext({ config: all, workingDir: folder })
}

const good = { exitCode: 0, error: '' }

describe('what arrives', () => {
  test('sender, receivers, subject and text, in any letters', async () => {
    const { context, stdout } = mail({
      to: ['ann@example.org, bob@example.org', 'eve@example.org'],
      subject: 'smørrebrød 🥐',
      message: 'line one\nline two — ü',
    })
    expect(await mailExecutor.run(context)).toEqual(good)
    const [one] = received
    expect(one?.envelope).toEqual({
      from: 'jobs@example.org',
      to: ['ann@example.org', 'bob@example.org', 'eve@example.org'],
    })
    expect(one?.mail.subject).toBe('smørrebrød 🥐')
    expect(one?.mail.text).toBe('line one\nline two — ü\n')
    expect(one?.mail.html).toBeUndefined()
    expect(stdout()).toContain('ann@example.org, bob@example.org, eve@example.org: smørrebrød 🥐')
  })

  test('markup makes it HTML, and so does the content type', async () => {
    await mailExecutor.run(mail({ message: '<b>done</b>' }).context)
    await mailExecutor.run(mail({ message: 'one\ntwo', contentType: 'text/html' }).context)
    await mailExecutor.run(mail({ message: '<b>', contentType: 'text/plain' }).context)
    expect(received.map((one) => one.mail.html?.trim())).toEqual(['<b>done</b>', 'one<br>\ntwo', undefined])
  })

  test('attachments, byte for byte', async () => {
    writeFileSync(join(folder, 'report.bin'), Buffer.from([0, 255, 13, 10, 0]))
    expect(await mailExecutor.run(mail({ attachments: ['report.bin'] }).context)).toEqual(good)
    const [file] = received[0]?.mail.attachments ?? []
    expect(file?.filename).toBe('report.bin')
    expect(Buffer.from(file?.content as ArrayBuffer)).toEqual(Buffer.from([0, 255, 13, 10, 0]))
  })

  test('the login of the DAG is used', async () => {
    await mailExecutor.run(mail({}, { username: 'jobs', password: 's3cret' }).context)
    expect(received[0]?.user).toBe('jobs')
  })
})

describe('what is refused', () => {
  test('a line break in an address or a subject', async () => {
    const { context } = mail({ to: ['ann@example.org\nBcc: eve@example.org'] })
    expect((await mailExecutor.run(context)).error).toMatch(/^to must be one line/)
    expect((await mailExecutor.run(mail({ subject: 'a\r\nX: y' }).context)).error).toMatch(
      /^subject must be one line/,
    )
    expect(received).toEqual([])
  })

  test('attachments from outside the working directory, by path or by link', async () => {
    mkdirSync(join(folder, 'sub'), { recursive: true })
    symlinkSync('/etc/hostname', join(folder, 'sub/link'))
    for (const path of ['/etc/hostname', '../../etc/hostname', 'sub/link']) {
      expect((await mailExecutor.run(mail({ attachments: [path] }).context)).error).toBe(
        `attachment ${path} lies outside the working directory of the step`,
      )
    }
    expect((await mailExecutor.run(mail({ attachments: ['none'] }).context)).error).toBe(
      'attachment none does not exist',
    )
  })

  test('a mail without a server', async () => {
    const { context } = stepContext({ config: { to: ['a@b'], subject: '', message: '', attachments: [] } })
    expect((await mailExecutor.run(context)).error).toBe('the DAG has no smtp server to send mail through')
  })
})

describe('failures', () => {
  test('the server says why', async () => {
    expect((await mailExecutor.run(mail({ to: ['nobody@example.org'] }).context)).error).toContain(
      'no such mailbox',
    )
    const login = { username: 'jobs', password: 'wrong' }
    expect((await mailExecutor.run(mail({}, login).context)).error).toContain('wrong password')
    expect((await mailExecutor.run(mail({}, { port: '1' }).context)).error).toBe(
      'connect ECONNREFUSED 127.0.0.1:1',
    )
  })

  test('a stop ends a connection on which nothing comes', async () => {
    const { context, controller } = mail({}, { port: silentPort })
    const connected = once(silent, 'connection')
    const running = mailExecutor.run(context)
    const [socket] = (await connected) as [NodeJS.EventEmitter]
    const closed = once(socket, 'close')
    controller.abort('stopped')
    expect(await running).toEqual({ exitCode: 1, error: 'the mail was stopped' })
    await closed
  })
})
