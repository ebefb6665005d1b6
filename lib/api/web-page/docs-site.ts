import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { DocsManifest } from './docs-manifest.ts'

/** Serves the site of the documents at `/docs`. Undefined: the path is not one of its own. */
export type DocsSite = (path: string, request: Request) => Promise<Response | undefined>

const isPicture = (type: string): boolean => type.startsWith('image/')

/**
 * The docs, public like the page. Files are found by their name in the manifest of the build.
 * @param folder of the built site
 * @param headers of every answer
 * @returns undefined where the site was not built
 */
export function createDocsSite(folder: URL, headers: Readonly<Record<string, string>>): DocsSite | undefined {
  const manifest = readManifest(folder)
  if (manifest === undefined) return undefined
  const files = new Map(Object.entries(manifest.files))
  return async (path, request) => {
    // Relative, since only the browser knows the prefix below which a proxy shows the service.
    if (path === '/docs')
      return new Response(null, { status: 302, headers: { ...headers, location: 'docs/' } })
    if (!path.startsWith('/docs/')) return undefined
    const asked = path.slice('/docs/'.length)
    const name = [asked === '' ? 'index.html' : asked, `${asked}.html`].find((one) => files.has(one))
    if (name === undefined) return undefined
    return await fileAnswer(folder, { name, type: files.get(name) ?? '' }, { request, headers })
  }
}

function readManifest(folder: URL): DocsManifest | undefined {
  try {
    return JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as DocsManifest
  } catch {
    return undefined
  }
}

interface Asked {
  readonly request: Request
  readonly headers: Readonly<Record<string, string>>
}

/** Pages keep their names from build to build, so a browser asks whether its copy is fresh; assets hold a hash. */
async function fileAnswer(
  folder: URL,
  { name, type }: { readonly name: string; readonly type: string },
  { request, headers }: Asked,
): Promise<Response> {
  const isPacked = !isPicture(type) && /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  const contents = await readFile(new URL(isPacked ? `${name}.gz` : name, folder))
  const etag = `"${createHash('sha256').update(contents).digest('base64url').slice(0, 22)}"`
  const own = {
    ...headers,
    'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    etag,
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: own })
  return new Response(contents, {
    headers: { ...own, 'content-type': type, ...(isPacked && { 'content-encoding': 'gzip' }) },
  })
}
