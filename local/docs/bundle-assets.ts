import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import * as esbuild from 'esbuild'

export interface DocsAssets {
  /** URLs, relative to a page. */
  readonly script: string
  readonly style: string
  readonly assets: ReadonlyMap<string, Uint8Array>
  readonly inputs: readonly string[]
}

/** The script and the style sheet of the site. Their names contain a hash of their content. */
export async function bundleAssets(top: string): Promise<DocsAssets> {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: { docs: 'web/docs/main.ts', style: 'web/docs/docs.css' },
    bundle: true,
    // A plain script in the head applies the theme before the first paint.
    format: 'iife',
    platform: 'browser',
    target: 'es2024',
    minify: true,
    legalComments: 'none',
    outdir: '/',
    write: false,
    metafile: true,
    absWorkingDir: top,
    logLevel: 'silent',
  })
  await esbuild.stop()
  const assets = new Map<string, Uint8Array>()
  const addAsset = (name: string, extension: string): string => {
    const contents = outputFiles.find(({ path }) => basename(path) === name)?.contents
    if (contents === undefined) throw new Error(`${name} was not built`)
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12)
    const address = `assets/docs-${hash}.${extension}`
    assets.set(address, contents)
    return address
  }
  return {
    script: addAsset('docs.js', 'js'),
    style: addAsset('style.css', 'css'),
    assets,
    inputs: Object.keys(metafile.inputs).map((path) => resolve(top, path)),
  }
}
