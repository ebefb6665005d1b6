import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#functions/api/index.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const token = 'a-token-of-the-settings'
const app = createApp({
  db,
  logs: { describe: () => '' } as never,
  defaults: { zone: 'UTC' },
  auth: { basic: { username: 'root', password: 'the right one' }, token },
  log: createLog({ level: 'silent', part: 'api' }),
  leaseMs: 30_000,
  version: '0',
  buildDate: '',
})
const ask = async (authorization: string, address = '192.0.2.1', path = '/dags') =>
  await app.fetch(new Request(`http://localhost/api/v2${path}`, { headers: { authorization } }), { address })
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
interface Entry {
  readonly actor: string
  readonly address: string
  readonly count: number
}
const logins = async (): Promise<Entry[]> => {
  const answer = await ask(`Bearer ${token}`, '', '/audit?limit=1000')
  const { entries } = (await answer.json()) as { entries: (Entry & { action: string })[] }
  return entries.filter(({ action }) => action === 'login')
}
beforeEach(async () => {
  await db.sql`truncate millrace.audit_entry, millrace.login_failure`
})

test('wrong passwords share one entry per name and address, which counts unchecked attempts too', async () => {
  for (let time = 0; time < 12; time++) expect((await ask(basic(`root:secret ${time}`))).status).toBe(401)
  await ask(basic('root:secret'), '192.0.2.2')
  const entries = await logins()
  expect(entries).toMatchObject([
    { actor: 'root', address: '192.0.2.2', count: 1 },
    { actor: 'root', address: '192.0.2.1', count: 12, role: 'none', target: 'password', status: 401 },
  ])
  expect(JSON.stringify(entries)).not.toContain('secret')
})

test('an entry shows only the public part of a key, and nothing of other credentials', async () => {
  const key = `mr_${'SeCrEt'.repeat(8).slice(0, 43)}`
  await ask(`Bearer ${key}`)
  await ask('Bearer my-password')
  const entries = await logins()
  expect(entries.map(({ actor }) => actor).toSorted()).toEqual(['', key.slice(0, 10)])
  expect(JSON.stringify(entries)).not.toContain('my-password')
})

test('a long name is cut, and control characters of a name are replaced', async () => {
  await ask(basic(`${'n'.repeat(200)}:x`))
  await ask(basic('a\u202eb\u2028c:x'))
  expect((await logins()).map(({ actor }) => actor)).toEqual(['a\ufffdb\ufffdc', `${'n'.repeat(64)}…`])
})

test('guesses of many names from many addresses share entries, and all are counted', async () => {
  const wrong = (at: number, address: string) => ask(`Bearer mr_${String(at).padEnd(43, 'x')}`, address)
  const calls = Array.from({ length: 1_500 }, (_, at) => wrong(at, `198.51.100.${at % 250}`))
  await Promise.all(calls)
  const entries = await logins()
  expect(entries.length).toBeLessThan(410)
  expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(1_500)
  expect(entries).toContainEqual(
    expect.objectContaining({ actor: '(many names)', address: '(many addresses)' }),
  )
})

test('refused logins are counted as a metric', async () => {
  const text = await (await ask(`Bearer ${token}`, '', '/metrics')).text()
  expect(text).toMatch(/millrace_login_failures_total\{kind="password",reason="limited"\} 2/)
  expect(text).toMatch(/millrace_login_failures_total\{kind="key",reason="wrong"\} \d{4}/)
})
