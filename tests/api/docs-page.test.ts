import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { routes } from '#functions/api/routes.ts'
import { listen } from '#local/listen.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const served = await listen(api.fetch, { host: '127.0.0.1', port: 0, trustedProxies: [] })
afterAll(() => served.close())

describe('the page and its files', () => {
  test.each([
    ['/api/docs', 'text/html', 'docs/start.js'],
    ['/api/docs/start.js', 'text/javascript', 'openapi.json'],
    ['/api/docs/swagger-ui.css', 'text/css', '.swagger-ui'],
    ['/api/docs/swagger-ui-bundle.js', 'text/javascript', 'SwaggerUIBundle'],
  ])('%s', async (path, type, part) => {
    const answer = await api.get<string>(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain(type)
    expect(answer.body).toContain(part)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("default-src 'none'")
  })

  test('anybody may see it, also where the API asks for a credential', async () => {
    const guarded = api.with({ auth: { basic: undefined, token: 'a-token-of-somebody' } })
    expect((await guarded.get('/api/docs')).status).toBe(200)
    expect((await guarded.get('/openapi.json')).status).toBe(401)
  })

  test('nothing else is served', async () => {
    for (const name of ['package.json', 'docs-page.ts', '__proto__', 'a/b']) {
      expect((await api.get(`/api/docs/${name}`)).status, name).toBe(404)
    }
    expect((await api.get('/api/docs/..%2f..%2frouter.ts')).status).toBe(400)
    expect((await api.post('/api/docs')).status).toBe(404)
  })

  test('a slash at the end leads to the page', async () => {
    const answer = await api.get('/api/docs/')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '../docs'])
  })
})

describe('in a browser', () => {
  const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    existsSync,
  )
  const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
  const quiet = [
    '--no-first-run',
    '--disable-sync',
    '--disable-background-networking',
    '--disable-component-update',
  ]
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', offline, ...quiet]

  /** The page as it stands when its scripts have run. */
  async function open(url: string): Promise<string> {
    const profile = mkdtempSync(join(tmpdir(), 'millrace-browser-'))
    const page = [
      `--user-data-dir=${profile}`,
      '--virtual-time-budget=20000',
      '--dump-dom',
      `${url}/api/docs`,
    ]
    try {
      const limits = { maxBuffer: 64 * 1_048_576, timeout: 60_000 }
      return (await promisify(execFile)(browser ?? '', [...flags, ...page], limits)).stdout
    } finally {
      rmSync(profile, { recursive: true, force: true })
    }
  }

  test.skipIf(browser === undefined)(
    'the operations are there, with nothing from elsewhere',
    async () => {
      const page = await open(served.url)
      expect(page.match(/class="opblock opblock-/g)?.length).toBeGreaterThanOrEqual(routes.length)
      expect(page).toContain('startDag')
      expect(page).toContain('<form id="login" hidden="">')
    },
    90_000,
  )

  test.skipIf(browser === undefined)(
    'where a token is asked for, the page asks for it',
    async () => {
      const guarded = api.with({ auth: { basic: undefined, token: 'a-token-of-somebody' } })
      const closed = await listen(guarded.fetch, { host: '127.0.0.1', port: 0, trustedProxies: [] })
      const page = await open(closed.url)
      await closed.close()
      expect(page).toContain('<form id="login">')
      expect(page).not.toContain('opblock')
    },
    90_000,
  )
})
