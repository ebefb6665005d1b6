import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join, relative } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailExecutor } from '#lib/executors/mail/run.ts'
import { isLoopback } from '#lib/executors/mail/send-mail.ts'
import { openMailbox, type Mailbox } from '#tests/support/mailbox.ts'
import { stepContext } from '../step-context.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

let mailbox: Mailbox
let silent: Server
let silentPort = ''

beforeAll(async () => {
  mailbox = await openMailbox()
  silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  silentPort = String((silent.address() as AddressInfo).port)
})

afterAll(async () => {
  await mailbox.close()
  silent.close()
  rmSync(folder, { recursive: true })
})

beforeEach(() => void mailbox.received.splice(0))

const folder = temporaryFolder('mail-step')

function mail(config: Record<string, unknown>, smtp: Record<string, unknown> = {}) {
  const base = {
    from: 'jobs@example.org',
    to: ['ann@example.org'],
    subject: 'hello',
    message: 'text',
    attachments: [],
  }
  const all = { ...base, ...config, smtp: { host: '127.0.0.1', port: mailbox.port, ...smtp } }
  return stepContext({ config: all, workingDir: folder })
}

const good = { exitCode: 0, error: '' }

describe('a delivered mail', () => {
  test('has the sender, recipients, subject and text, in any script', async () => {
    const { context, stdout } = mail({
      to: ['ann@example.org, bob@example.org', 'eve@example.org'],
      subject: 'smørrebrød 🥐',
      message: 'line one\nline two — ü',
    })
    expect(await mailExecutor.run(context)).toEqual(good)
    const [one] = mailbox.received
    expect(one?.envelope).toEqual({
      from: 'jobs@example.org',
      to: ['ann@example.org', 'bob@example.org', 'eve@example.org'],
    })
    expect(one?.mail.subject).toBe('smørrebrød 🥐')
    expect(one?.mail.text).toBe('line one\nline two — ü\n')
    expect(one?.mail.html).toBeUndefined()
    expect(stdout()).toContain('ann@example.org, bob@example.org, eve@example.org: smørrebrød 🥐')
  })

  test('is HTML if it contains markup or has that content type', async () => {
    await mailExecutor.run(mail({ message: '<b>done</b>' }).context)
    await mailExecutor.run(mail({ message: 'one\ntwo', contentType: 'text/html' }).context)
    await mailExecutor.run(mail({ message: '<b>', contentType: 'text/plain' }).context)
    expect(mailbox.received.map((one) => one.mail.html?.trim())).toEqual([
      '<b>done</b>',
      'one<br>\ntwo',
      undefined,
    ])
  })

  test('keeps recipient names with commas, and a body of another type', async () => {
    const { context } = mail({
      from: 'Jobs <jobs@example.org>',
      to: ['"Doe', 'Jane" <jane@example.org>', 'Zoë <zoe@example.org>'],
      message: 'name;price\nfig;5\n',
      contentType: 'text/csv; header=present',
    })
    expect(await mailExecutor.run(context)).toEqual(good)
    const [one] = mailbox.received
    expect(one?.envelope.to).toEqual(['jane@example.org', 'zoe@example.org'])
    expect(one?.mail.to).toEqual([
      { name: 'Doe, Jane', address: 'jane@example.org' },
      { name: 'Zoë', address: 'zoe@example.org' },
    ])
    const [body] = one?.mail.attachments ?? []
    expect(body?.mimeType).toBe('text/csv')
    expect(Buffer.from(body?.content as ArrayBuffer).toString()).toBe('name;price\nfig;5\n')
  })

  test('is sent from the login if there is no sender', async () => {
    const smtp = { username: 'robot@example.org', password: 's3cret' }
    expect(await mailExecutor.run(mail({ from: '' }, smtp).context)).toEqual(good)
    expect(mailbox.received[0]?.envelope.from).toBe('robot@example.org')
  })

  test('is sent without a login if the login is empty', async () => {
    expect(await mailExecutor.run(mail({}, { username: '', password: '' }).context)).toEqual(good)
    expect(mailbox.received[0]?.user).toBeFalsy()
  })

  test('has attachments byte for byte', async () => {
    writeFileSync(join(folder, 'report.bin'), Buffer.from([0, 255, 13, 10, 0]))
    expect(await mailExecutor.run(mail({ attachments: ['report.bin'] }).context)).toEqual(good)
    const [file] = mailbox.received[0]?.mail.attachments ?? []
    expect(file?.filename).toBe('report.bin')
    expect(Buffer.from(file?.content as ArrayBuffer)).toEqual(Buffer.from([0, 255, 13, 10, 0]))
  })

  test('is sent with the login of the DAG', async () => {
    await mailExecutor.run(mail({}, { username: 'jobs', password: 's3cret' }).context)
    expect(mailbox.received[0]?.user).toBe('jobs')
  })
})

describe('what is refused', () => {
  test('a line break in an address or a subject', async () => {
    const { context } = mail({ to: ['ann@example.org\nBcc: eve@example.org'] })
    expect((await mailExecutor.run(context)).error).toMatch(/^to must be one line/)
    expect((await mailExecutor.run(mail({ subject: 'a\r\nX: y' }).context)).error).toMatch(
      /^subject must be one line/,
    )
    expect((await mailExecutor.run(mail({ contentType: 'text/html\nX: y' }).context)).error).toMatch(
      /^contentType must be one line/,
    )
    expect(mailbox.received).toEqual([])
  })

  test('an invalid address, even next to valid ones', async () => {
    const errorOf = async (config: Record<string, unknown>): Promise<string> =>
      (await mailExecutor.run(mail(config).context)).error
    expect(await errorOf({ to: ['ann@example.org', 'bob'] })).toBe(
      'to must be an address such as ann@example.org, is "bob"',
    )
    expect(await errorOf({ to: [' ', ''] })).toBe('to has no address')
    expect(await errorOf({ from: 'jobs' })).toBe('from must be an address such as ann@example.org, is "jobs"')
    expect(await errorOf({ from: '' })).toBe('from must be one address, of the sender')
    expect(await errorOf({ from: 'a@example.org, b@example.org' })).toBe(
      'from must be one address, of the sender',
    )
    expect(await errorOf({ contentType: 'nonsense' })).toBe(
      'contentType must be such as text/html, is "nonsense"',
    )
    expect(mailbox.received).toEqual([])
  })

  test('an empty server or an invalid port', async () => {
    expect((await mailExecutor.run(mail({}, { host: '' }).context)).error).toBe(
      'smtp needs host, the server to send mail through',
    )
    expect((await mailExecutor.run(mail({}, { port: '70000' }).context)).error).toBe(
      'the port of smtp must be 1 to 65535, is "70000"',
    )
  })

  test.each(['169.254.169.254', '[::ffff:169.254.169.254]', '2852039166', 'fd20:ce::254'])(
    'a server at the cloud metadata address %s',
    async (host) => {
      const { error } = await mailExecutor.run(mail({}, { host }).context)
      expect(error).toMatch(/is a link-local or metadata address|ENOTFOUND|EAI_AGAIN/)
    },
  )

  test('attachments outside of the working directory, by path or by link', async () => {
    mkdirSync(join(folder, 'sub'), { recursive: true })
    symlinkSync('/etc/hostname', join(folder, 'sub/link'))
    for (const path of ['/etc/hostname', relative(folder, '/etc/hostname'), 'sub/link']) {
      expect((await mailExecutor.run(mail({ attachments: [path] }).context)).error).toMatch(
        /^attachments: .* is outside of the working directory of the step$/,
      )
    }
    expect((await mailExecutor.run(mail({ attachments: ['none'] }).context)).error).toBe(
      `attachments: ${folder}/none does not exist`,
    )
    expect((await mailExecutor.run(mail({ attachments: ['sub'] }).context)).error).toBe(
      `attachments: ${folder}/sub is a folder`,
    )
    writeFileSync(join(folder, '..dots'), 'inside')
    expect(await mailExecutor.run(mail({ attachments: ['..dots'] }).context)).toEqual(good)
  })

  test('a mail without a server', async () => {
    const { context } = stepContext({ config: { to: ['a@b'], subject: '', message: '', attachments: [] } })
    expect((await mailExecutor.run(context)).error).toBe('the DAG has no smtp server to send mail through')
  })
})

describe('failures', () => {
  test('carry the reason of the server', async () => {
    expect((await mailExecutor.run(mail({ to: ['nobody@example.org'] }).context)).error).toContain(
      'no such mailbox',
    )
    const login = { username: 'jobs', password: 'wrong' }
    expect((await mailExecutor.run(mail({}, login).context)).error).toContain('wrong password')
    expect((await mailExecutor.run(mail({}, { port: '1' }).context)).error).toBe(
      'connect ECONNREFUSED 127.0.0.1:1',
    )
  })

  test('name a recipient that the server refused, although others got the mail', async () => {
    const { context } = mail({ to: ['ann@example.org', 'nobody@example.org'] })
    expect(await mailExecutor.run(context)).toEqual({
      exitCode: 1,
      error: expect.stringMatching(
        /^the mail was sent, but not to nobody@example.org: .*no such mailbox/,
      ) as string,
    })
    expect(mailbox.received.map((one) => one.envelope.to)).toEqual([['ann@example.org']])
  })

  test('have a reason if all addresses of a host name refuse the connection', async () => {
    const { context } = mail({}, { host: 'localhost', port: '1' })
    expect((await mailExecutor.run(context)).error).toMatch(/^connect ECONNREFUSED \S+:1$/)
  })

  test('a stop ends a silent connection', async () => {
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

describe('encryption', () => {
  /** A server with TLS and a self-signed certificate for 127.0.0.1. */
  async function encrypting(): Promise<{
    certificate: string
    port: string
    heard: boolean[]
    stop: () => void
  }> {
    const names = ['-subj', '/CN=mail', '-addext', 'subjectAltName=IP:127.0.0.1']
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...files],
      {
        stdio: 'ignore',
      },
    )
    const certificate = readFileSync(join(folder, 'cert.pem'), 'utf8')
    const heard: boolean[] = []
    const server = new SMTPServer({
      key: readFileSync(join(folder, 'key.pem')),
      cert: certificate,
      authOptional: true,
      onData: (stream, session, done) => {
        heard.push(session.secure)
        stream.on('end', done).resume()
      },
    })
    server.on('error', () => undefined)
    const listening = server.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const port = String((listening.address() as AddressInfo).port)
    return { certificate, port, heard, stop: () => server.close() }
  }

  test('is used if the server offers it, and requires a trusted certificate', async () => {
    const { certificate, port, heard, stop } = await encrypting()
    const usual = getCACertificates('default')
    try {
      expect((await mailExecutor.run(mail({}, { port }).context)).error).toMatch(/self-signed certificate/)
      expect(heard).toEqual([])
      setDefaultCACertificates([...usual, certificate])
      expect(await mailExecutor.run(mail({}, { port }).context)).toEqual(good)
      expect(heard).toEqual([true])
    } finally {
      setDefaultCACertificates(usual)
      stop()
    }
  })

  test('is not required for a password sent to a loopback address', () => {
    const inside = ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']
    const outside = ['', '10.0.0.1', '192.0.2.127', '::', '2001:db8::1', '::ffff:10.127.0.1', '12.127.0.1']
    expect(inside.filter(isLoopback)).toEqual(inside)
    expect(outside.filter(isLoopback)).toEqual([])
  })
})
