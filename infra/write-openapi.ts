/** Writes infra/openapi.json from the routes: `node infra/write-openapi.ts`. A test holds the file to the code. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basePath } from '#functions/api/index.ts'
import { routes } from '#functions/api/routes.ts'
import { openApiDocument } from '#lib/api/openapi.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const document = openApiDocument(routes, { version, basePath })
writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
