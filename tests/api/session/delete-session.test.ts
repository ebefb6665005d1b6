import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const token = 'a-token-of-the-settings'
const guarded = api.with({ auth: { basic: undefined, token } })
const own = { 'x-millrace': '1' }

async function signIn(): Promise<string> {
  const { headers } = await guarded.call('POST', '/session', { body: { token } })
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

describe('204', () => {
  test('the session ends, and its cookie is deleted', async () => {
    const [cookie, other] = [await signIn(), await signIn()]
    const { status, headers } = await guarded.call('DELETE', '/session', { headers: { cookie, ...own } })
    expect(status).toBe(204)
    expect(headers.get('set-cookie')).toBe('millrace=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict')
    expect((await guarded.call('GET', '/dags', { headers: { cookie } })).status).toBe(401)
    expect((await guarded.call('GET', '/dags', { headers: { cookie: other } })).status).toBe(200)
  })

  test('a caller without a session', async () => {
    expect((await guarded.call('DELETE', '/session')).status).toBe(204)
  })
})

describe('403 forbidden', () => {
  test.each([
    ['POST', '/tick'],
    ['DELETE', '/session'],
    ['GET', '/dag-runs/nightly/1/dequeue'],
    ['POST', '/dags/nightly/start'],
    ['PUT', '/dags/nightly/spec'],
  ])('%s %s by the cookie alone, as a page on another port could send it', async (method, path) => {
    const cookie = await signIn()
    const call = (headers: Record<string, string>) =>
      guarded.call<{ message: string }>(method, path, { headers: { cookie, ...headers }, body: undefined })
    expect(await call({})).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('x-millrace: 1') },
    })
    expect((await call({ authorization: `Bearer ${token}` })).status).not.toBe(403)
    expect((await call(own)).status).not.toBe(403)
  })

  test('a call that only reads needs no header', async () => {
    expect((await guarded.call('GET', '/dags', { headers: { cookie: await signIn() } })).status).toBe(200)
  })
})
