/**
 * Writes infra/openapi.json from the routes, the types of the client from that, infra/dag-schema.json and
 * docs/dag-file.md from the schemas of the format, infra/env.example and the tables of docs/settings.md from the
 * settings, the list of commands in docs/cli.md, and the revision of the SQL functions: `npm run documents`. Generates
 * all of them before it writes the first. Tests fail if a file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basePath } from '#functions/api/index.ts'
import { routes } from '#functions/api/routes.ts'
import { dagJsonSchema, formatSchema } from '#lib/api/documents/dag-json-schema.ts'
import { openApiDocument } from '#lib/api/documents/openapi.ts'
import { commands } from '#local/cli/commands.ts'
import { clientTypes } from './client-types.ts'
import { dagReference } from './dag-reference.ts'
import { functionsRevision, revisionFile } from './functions-revision.ts'
import { envExample, settingsPage } from './setting-documents.ts'

const urlOf = (name: string): URL => new URL(`../${name}`, import.meta.url)
const read = (name: string): string => readFileSync(urlOf(name), 'utf8')
const json = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`

const { version } = JSON.parse(read('package.json')) as { version: string }
const api = openApiDocument(routes, { version, basePath })
const rows = commands.map(({ name, summary }) => `| \`${name}\` | ${summary} |\n`)

const written: readonly (readonly [URL, string])[] = [
  [urlOf('infra/openapi.json'), json(api)],
  [urlOf('lib/client/api-types.gen.ts'), clientTypes(api)],
  [urlOf('infra/dag-schema.json'), json(dagJsonSchema())],
  [urlOf('docs/dag-file.md'), dagReference(formatSchema())],
  [urlOf('docs/settings.md'), settingsPage(read('docs/settings.md'))],
  [urlOf('infra/env.example'), envExample()],
  [urlOf('docs/cli.md'), read('docs/cli.md').replace(/(?:^\| `.*\n)+/m, () => rows.join(''))],
  [revisionFile, json(functionsRevision())],
]
for (const [file, text] of written) writeFileSync(file, text)
