import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { guardHeaders } from '#lib/api/requests/guard-headers.ts'
import { textDigest } from '#lib/api/answers/text-digest.ts'
import { createDocsSite } from './docs-site.ts'
import type { PageManifest } from './page-manifest.ts'

/** Serves the files of the page; undefined: the request is not for the page. */
export type WebPage = (request: Request) => Promise<Response | undefined>

/** Only resources of this origin, nothing inline, and no text that becomes markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types millrace',
].join('; ')

const pageHeaders = {
  ...guardHeaders,
  'content-security-policy': policy,
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Paths of the service itself, which are never answered with the page. */
const ofService = /^\/(api|livez|readyz|metrics)(\/|$)/

/**
 * The web page, public because it contains no data. Files are found by their name in the manifest of the build: no
 * path is made from a request. Every other address that a browser opens shows `index.html`, whose scripts read it.
 * @param folder of the build
 * @returns undefined where the page was not built
 */
export function createWebPage(folder: URL): WebPage | undefined {
  const manifest = readManifest(folder)
  if (manifest === undefined) return undefined
  const files = new Map(Object.entries(manifest.files))
  const docs = createDocsSite(new URL('docs/', folder), pageHeaders)
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const path = new URL(request.url).pathname
    const name = path.slice(1)
    const type = files.get(name)
    if (type !== undefined) return await asset(new URL(name, folder), type, request)
    const document = await docs?.(path, request)
    if (document !== undefined) return document
    if (ofService.test(path) || !isForPeople(request, path)) return undefined
    return index(manifest, path, request)
  }
}

function readManifest(folder: URL): PageManifest | undefined {
  try {
    return JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as PageManifest
  } catch {
    return undefined
  }
}

/** Clients that accept any type get the page at its own address only; elsewhere a wrong API path would look right. */
function isForPeople(request: Request, path: string): boolean {
  const accepted = request.headers.get('accept') ?? '*/*'
  return accepted.includes('text/html') || (path === '/' && accepted === '*/*')
}

/** Assets lie below the hash of their build, so a copy never has to be asked for again. */
async function asset(file: URL, type: string, request: Request): Promise<Response> {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
  const ending = encoding === undefined ? '' : encoding === 'br' ? '.br' : '.gz'
  return new Response(await readFile(new URL(`${file.href}${ending}`)), {
    headers: {
      ...pageHeaders,
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
  })
}

/**
 * Links to assets are relative, since only the browser knows the prefix below which a proxy shows the service. They
 * climb as many steps as the path has.
 */
function index(manifest: PageManifest, path: string, request: Request): Response {
  const depth = path.split('/').length - 2
  const text = manifest.index.replaceAll('{base}', depth === 0 ? './' : '../'.repeat(depth))
  const etag = `"${textDigest(text)}"`
  const headers = { ...pageHeaders, 'cache-control': 'no-cache', etag, vary: 'accept' }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(text, { headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } })
}
