import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailExecutor } from '#lib/executors/mail/run.ts'
import { openMailbox, type Mailbox } from '#tests/support/mailbox.ts'
import { stepContext } from '../step-context.ts'

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
})

beforeEach(() => void mailbox.received.splice(0))

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mail-step-')))

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

describe('what arrives', () => {
  test('sender, receivers, subject and text, in any letters', async () => {
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

  test('markup makes it HTML, and so does the content type', async () => {
    await mailExecutor.run(mail({ message: '<b>done</b>' }).context)
    await mailExecutor.run(mail({ message: 'one\ntwo', contentType: 'text/html' }).context)
    await mailExecutor.run(mail({ message: '<b>', contentType: 'text/plain' }).context)
    expect(mailbox.received.map((one) => one.mail.html?.trim())).toEqual([
      '<b>done</b>',
      'one<br>\ntwo',
      undefined,
    ])
  })

  test('attachments, byte for byte', async () => {
    writeFileSync(join(folder, 'report.bin'), Buffer.from([0, 255, 13, 10, 0]))
    expect(await mailExecutor.run(mail({ attachments: ['report.bin'] }).context)).toEqual(good)
    const [file] = mailbox.received[0]?.mail.attachments ?? []
    expect(file?.filename).toBe('report.bin')
    expect(Buffer.from(file?.content as ArrayBuffer)).toEqual(Buffer.from([0, 255, 13, 10, 0]))
  })

  test('the login of the DAG is used', async () => {
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
    expect(mailbox.received).toEqual([])
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
