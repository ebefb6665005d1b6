/**
 * Writes infra/openapi.json from the routes, and infra/dag-schema.json from the schemas of the format:
 * `npm run documents`. Tests hold the files to the code.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basePath } from '#functions/api/index.ts'
import { routes } from '#functions/api/routes.ts'
import { dagJsonSchema } from '#lib/api/dag-json-schema.ts'
import { openApiDocument } from '#lib/api/openapi.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

function write(name: string, document: unknown): void {
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
}

write('openapi.json', openApiDocument(routes, { version, basePath }))
write('dag-schema.json', dagJsonSchema())
