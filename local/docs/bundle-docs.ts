import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DocsManifest } from '#lib/api/web-page/docs-manifest.ts'
import { bundleAssets } from './bundle-assets.ts'
import { pageName } from './page-list.ts'
import { pageTemplate } from './page-template.ts'
import { readDocs, type Docs } from './read-docs.ts'
import { fileAddress } from './resolve-link.ts'

export interface DocsBundle extends Pick<Docs, 'faults'> {
  /** Path below the folder of the site → contents. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Paths of all sources, and of the `docs` folder, whose change may mean a new page. */
  readonly inputs: readonly string[]
}

const top = resolve(import.meta.dirname, '../..')

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
}
const plain = 'text/plain; charset=utf-8'

/**
 * Builds the documentation site: each page as HTML, a search index, and the pictures and files that pages link to.
 * Writes no files.
 */
export async function bundleDocs(): Promise<DocsBundle> {
  const docs = readDocs(top)
  const { script, style, assets, inputs } = await bundleAssets(top)
  const files = new Map<string, Uint8Array>(assets)
  for (const source of docs.pages.keys()) {
    files.set(`${pageName(source)}.html`, Buffer.from(pageTemplate({ docs, source, script, style })))
  }
  files.set('search.json', Buffer.from(JSON.stringify(searchIndex(docs))))
  for (const file of docs.files) files.set(fileAddress(file), readFileSync(join(top, file)))
  const read = [...docs.pages.keys(), ...docs.files].map((path) => join(top, path))
  return {
    files: withManifest(files),
    inputs: [...inputs, join(top, 'docs'), ...read],
    faults: docs.faults,
  }
}

/** For each page: its name, its title, and its entries as [anchor, title, text]. */
function searchIndex({ pages, titles }: Docs): unknown {
  return [...pages].map(([source, { entries }]) => [
    pageName(source),
    titles.get(source),
    entries.map((entry) => [entry.anchor, entry.title, entry.text]),
  ])
}

/** Adds compressed copies of text files, and a manifest of all files. */
function withManifest(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const all = new Map(files)
  const manifest: Record<string, string> = {}
  for (const [name, contents] of files) {
    const type = types[name.split('.').at(-1) ?? ''] ?? plain
    manifest[name] = type
    if (!type.startsWith('image/')) all.set(`${name}.gz`, gzipSync(contents, { level: 9 }))
  }
  const list: DocsManifest = { files: manifest }
  return all.set('manifest.json', Buffer.from(JSON.stringify(list, null, 2)))
}
