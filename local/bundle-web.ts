import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import type { PageManifest } from '#lib/api/web-page/page-manifest.ts'

export interface WebBundle {
  /** Hash of all outputs and name of the assets folder, so an asset never changes under its URL. */
  readonly build: string
  /** Path below the folder of the page → contents. The manifest is last, because it lists all others. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Paths of all sources. */
  readonly inputs: readonly string[]
}

const top = resolve(import.meta.dirname, '..')
const template = resolve(top, 'web/index.html')
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Bundles the web page: modules split by page, and one style sheet. Writes no files. */
export async function bundleWeb(): Promise<WebBundle> {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: {
      main: 'web/main.tsx',
      page: 'web/styles/index.css',
      'layout.worker': 'web/workers/layout.worker.ts',
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    outdir: '/',
    chunkNames: '[name]-[hash]',
    write: false,
    metafile: true,
    absWorkingDir: top,
    logLevel: 'silent',
  })
  await esbuild.stop()
  const outputs = outputFiles
    .map(({ path, contents }) => ({ name: basename(path), contents }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const index = readFileSync(template, 'utf8')
  const hash = createHash('sha256').update(index)
  for (const { name, contents } of outputs) hash.update(name).update(contents)
  const build = hash.digest('hex').slice(0, 12)
  return {
    build,
    files: filesOf({ build, index, outputs, first: firstModules(metafile) }),
    inputs: [...Object.keys(metafile.inputs).map((path) => resolve(top, path)), template],
  }
}

/** Static imports of `main.js`, which the page preloads together with it. */
function firstModules({ outputs }: esbuild.Metafile): string[] {
  const main = Object.entries(outputs).find(([path]) => basename(path) === 'main.js')?.[1]
  return (main?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => basename(path))
}

interface Parts {
  readonly build: string
  readonly index: string
  readonly outputs: readonly { readonly name: string; readonly contents: Uint8Array }[]
  readonly first: readonly string[]
}

function filesOf({ build, index, outputs, first }: Parts): Map<string, Uint8Array> {
  const folder = `assets/${build}`
  const manifest: PageManifest = {
    build,
    index: index
      .replaceAll('{build}', folder)
      .replace(
        '{preload}',
        first.map((name) => `<link rel="modulepreload" href="{base}${folder}/${name}" />`).join('\n    '),
      ),
    files: Object.fromEntries(
      outputs.map(({ name }) => [`${folder}/${name}`, types[name.split('.').at(-1) ?? ''] ?? '']),
    ),
  }
  const files = new Map<string, Uint8Array>()
  for (const { name, contents } of outputs) {
    files.set(`${folder}/${name}`, contents)
    files.set(`${folder}/${name}.gz`, gzipSync(contents, { level: 9 }))
    files.set(
      `${folder}/${name}.br`,
      brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    )
  }
  files.set('index.html', Buffer.from(manifest.index.replaceAll('{base}', '/')))
  return files.set('manifest.json', Buffer.from(JSON.stringify(manifest, null, 2)))
}
