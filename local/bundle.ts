import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as esbuild from 'esbuild'

export interface Bundling {
  /** Name of the entry; its output is `<name>.mjs`. */
  readonly name: string
  readonly source: string
  /** Packages left out of the bundle and loaded at run time. */
  readonly external: readonly string[]
  /** Rewrites each source that uses `import.meta.url`: takes its path and text, returns the text to bundle. */
  readonly fixPaths: (source: string, text: string) => string
}

export interface Bundled {
  readonly files: esbuild.OutputFile[]
  /** Paths of all bundled sources. */
  readonly inputs: string[]
}

const top = resolve(import.meta.dirname, '..')

/** Globals that CommonJS packages expect. */
const banner =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url), " +
  '__filename = import.meta.filename, __dirname = import.meta.dirname;'

/**
 * Bundles an entry and everything it imports into one file. Lazily imported modules become separate files next to it,
 * so executor clients are loaded only when a step first needs them. Writes no files.
 */
export async function bundle({ name, source, external, fixPaths }: Bundling): Promise<Bundled> {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: { [name]: source },
    bundle: true,
    splitting: true,
    outdir: '/',
    outExtension: { '.js': '.mjs' },
    write: false,
    metafile: true,
    absWorkingDir: top,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    minifyWhitespace: true,
    minifySyntax: true,
    external: [...external],
    plugins: [
      {
        name: 'source-rewrites',
        setup: (build) => {
          // Failpoints do nothing outside tests: an empty function lets the minifier drop the calls.
          build.onLoad({ filter: /[\\/]lib[\\/]core[\\/]failpoint\.ts$/ }, () => ({
            contents: 'export function failpoint() {}',
          }))
          build.onLoad({ filter: /[\\/](lib|functions|local)[\\/].*\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8')
            return { loader: 'ts', contents: text.includes('import.meta.url') ? fixPaths(path, text) : text }
          })
        },
      },
    ],
    banner: { js: banner },
    logLevel: 'silent',
  })
  await esbuild.stop()
  return { files: outputFiles, inputs: Object.keys(metafile.inputs).map((path) => resolve(top, path)) }
}
