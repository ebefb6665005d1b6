import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createWebPage } from '#lib/api/web-page/web-page.ts'
import { testApi } from '#tests/support/api.ts'
import { builtPage } from '#tests/support/built-page.ts'

const page = createWebPage(await builtPage())
if (page === undefined) throw new Error('the page was not built')
const api = (await testApi()).with({ page, auth: { basic: undefined, token: 'a-token-of-the-tests' } })
const ask = (path: string, headers: Record<string, string> = {}) =>
  api.fetch(new Request(`http://localhost${path}`, { headers }))

describe('the docs', () => {
  test('need no credential, and have a policy that allows nothing inline', async () => {
    const answer = await ask('/docs/')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
    const text = await answer.text()
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
    expect([...text.matchAll(/(?:src|href)="(?:https?:|\/)[^"]*"/g)].map(([link]) => link)).toEqual([])
  })

  test('redirect /docs to /docs/, even below the path of a proxy', async () => {
    const answer = await ask('/docs')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'docs/'])
  })

  test.each(['/docs/tutorial', '/docs/tutorial.html'])('have a page at %s', async (path) => {
    expect(await (await ask(path)).text()).toContain('<h1 id="tutorial">')
  })

  test('revalidate a page, and compress it for browsers that accept it', async () => {
    const packed = await ask('/docs/tutorial', { 'accept-encoding': 'gzip' })
    expect(packed.headers.get('cache-control')).toBe('no-cache')
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const etag = packed.headers.get('etag') ?? ''
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toContain('<h1 id="tutorial">')
    const again = await ask('/docs/tutorial', { 'accept-encoding': 'gzip', 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const plain = await ask('/docs/tutorial')
    expect([plain.headers.get('content-encoding'), plain.headers.get('etag') === etag]).toEqual([null, false])
  })

  test('name their script and style sheet by content, to be cached forever', async () => {
    const text = await (await ask('/docs/')).text()
    for (const [, name] of text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)) {
      const asset = await ask(`/docs/${name}`)
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test('offer nothing else', async () => {
    for (const path of ['/docs/nothing', '/docs/manifest.json', '/docs/tutorial.html.gz'])
      expect((await ask(path)).status, path).toBe(401)
  })
})
