/**
 * Writes infra/openapi.json from the routes, the types of the client from that, infra/dag-schema.json and
 * docs/dag-file.md from the schemas of the format, infra/env.example and the tables of docs/settings.md from the
 * settings, and the number of the SQL functions: `npm run documents`. Tests hold the files to the code.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basePath } from '#functions/api/index.ts'
import { routes } from '#functions/api/routes.ts'
import { dagJsonSchema, formatSchema } from '#lib/api/documents/dag-json-schema.ts'
import { openApiDocument } from '#lib/api/documents/openapi.ts'
import { clientTypes } from './client-types.ts'
import { dagReference } from './dag-reference.ts'
import { functionsRevision, revisionFile } from './functions-revision.ts'
import { envExample, settingsPage } from './setting-documents.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

function write(name: string, document: unknown): void {
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
}

const document = openApiDocument(routes, { version, basePath })
write('openapi.json', document)
writeFileSync(new URL('../lib/client/api-types.gen.ts', import.meta.url), clientTypes(document))
write('dag-schema.json', dagJsonSchema())
writeFileSync(new URL('../docs/dag-file.md', import.meta.url), dagReference(formatSchema()))
writeFileSync(revisionFile, `${JSON.stringify(functionsRevision(), null, 2)}\n`)
const settingsFile = new URL('../docs/settings.md', import.meta.url)
writeFileSync(settingsFile, settingsPage(readFileSync(settingsFile, 'utf8')))
writeFileSync(new URL('env.example', import.meta.url), envExample())
