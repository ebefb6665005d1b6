import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { guardHeaders } from '#lib/api/requests/guard-headers.ts'

const resolve = createRequire(import.meta.url).resolve

/** The only files that are served. No file path is built from the request. */
const files: ReadonlyMap<string, { readonly path: string; readonly type: string }> = new Map([
  ['', { path: './page.html', type: 'text/html; charset=utf-8' }],
  ['start.js', { path: './start.js', type: 'text/javascript; charset=utf-8' }],
  ['swagger-ui.css', { path: 'swagger-ui-dist/swagger-ui.css', type: 'text/css; charset=utf-8' }],
  [
    'swagger-ui-bundle.js',
    { path: 'swagger-ui-dist/swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
  ],
])

/** Only resources of this origin, and no inline script. Swagger UI sets inline styles and has images in its CSS. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The page that browses the OpenAPI document, and its files; nothing is loaded from elsewhere. Public, as it contains
 * no data; the document is fetched with the rights of the reader.
 * @param name name of a file; empty: the page itself
 * @returns undefined when there is no such file
 */
export async function docsPage(name: string): Promise<Response | undefined> {
  const file = files.get(name)
  if (file === undefined) return undefined
  return new Response(await readFile(resolve(file.path)), {
    headers: {
      ...guardHeaders,
      'content-security-policy': policy,
      'content-type': file.type,
      'cache-control': 'public, max-age=3600',
    },
  })
}
