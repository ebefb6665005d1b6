import { describe, expect, test } from 'vitest'
import { createWebPage } from '#lib/api/web-page/web-page.ts'
import { testApi } from '#tests/support/api.ts'
import { builtPage } from '#tests/support/built-page.ts'

const folder = await builtPage()
const page = createWebPage(folder)
if (page === undefined) throw new Error('the page was not built')
const api = (await testApi()).with({ page })
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  api.fetch(new Request(`http://localhost${path}`, { method, headers }))

/** The address of the main script, as a browser finds it in the page. */
async function mainScript(path: string): Promise<string> {
  const text = await (await ask(path, html)).text()
  return /<script type="module" src="([^"]+)">/.exec(text)?.[1] ?? ''
}

describe('the page', () => {
  test.each(['/', '/runs', '/runs/a/b?view=steps', '/dags/a/'])('is served at %s', async (path) => {
    const answer = await ask(path, html)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const policy = answer.headers.get('content-security-policy')
    for (const part of ["default-src 'none'", "script-src 'self';", "style-src 'self';", 'trusted-types']) {
      expect(policy).toContain(part)
    }
    expect(policy).not.toContain('unsafe')
    // Seen from the address of the page, whatever a proxy has put before it.
    const script = new URL(await mainScript(path), `http://localhost/prefix${path}`)
    expect(script.pathname).toMatch(/^\/prefix\/assets\/[0-9a-f]{12}\/main\.js$/)
  })

  test('is not sent again to a browser that has it', async () => {
    const etag = (await ask('/runs', html)).headers.get('etag') ?? ''
    const again = await ask('/runs', { ...html, 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('is served to other programs only at /, unless they accept only JSON', async () => {
    expect((await ask('/')).status).toBe(200)
    expect((await ask('/runs')).status).toBe(404)
    expect((await ask('/', { accept: 'application/json' })).status).toBe(404)
    expect((await ask('/runs', { accept: 'application/json' })).status).toBe(404)
    expect((await ask('/', html, 'POST')).status).toBe(404)
    for (const path of ['/api/v2/nothing', '/api/nothing', '/api/v2/health', '/livez', '/metrics']) {
      const answer = await ask(path, html)
      expect(answer.headers.get('content-type'), path).not.toContain('text/html')
    }
  })

  test('is refused under a foreign host name when there are no credentials', async () => {
    expect((await ask('/', { ...html, host: 'evil.example' })).status).toBe(403)
  })
})

describe('the files of the page', () => {
  test.each([
    ['br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['', null],
  ])('are sent for the encoding %j as %s, and cached forever', async (accepted, encoding) => {
    const path = `/${(await mainScript('/')).replace('./', '')}`
    const answer = await ask(path, { 'accept-encoding': accepted })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(500)
  })

  test('are the only files served', async () => {
    const path = `/${(await mainScript('/')).replace('./', '')}`
    for (const name of [
      `${path}.gz`,
      '/manifest.json',
      '/index.html',
      '/assets/../manifest.json',
      '/assets/x.js',
    ]) {
      expect((await ask(name)).status, name).toBe(404)
    }
  })
})

test('without a build there is no page', () => {
  expect(createWebPage(new URL('nowhere/', folder))).toBeUndefined()
})
