import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as esbuild from 'esbuild'

export interface Bundling {
  /** Name of the entry; its output is `<name>.mjs`. */
  readonly name: string
  readonly source: string
  /** Packages that are not bundled, but loaded where the bundle runs. */
  readonly external: readonly string[]
  /** Called with every source that finds a file by `import.meta.url`; returns the text to bundle instead. */
  readonly rewrite: (source: string, text: string) => string
}

export interface Bundled {
  readonly files: esbuild.OutputFile[]
  /** Paths of all bundled sources. */
  readonly inputs: string[]
}

const top = resolve(import.meta.dirname, '..')

/** Globals that packages in CommonJS expect. */
const banner =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url), " +
  '__filename = import.meta.filename, __dirname = import.meta.dirname;'

/**
 * Bundles an entry with everything that it imports into one file. Lazily imported modules become files of their own
 * beside it, so that the clients of single executors are loaded when a step first needs them. Writes no files.
 */
export async function bundle({ name, source, external, rewrite }: Bundling): Promise<Bundled> {
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
        name: 'sources',
        setup: (build) => {
          // Outside of tests a failpoint does nothing, so an empty function takes its place, and the minifier drops the
          // calls.
          build.onLoad({ filter: /[\\/]lib[\\/]core[\\/]failpoint\.ts$/ }, () => ({
            contents: 'export function failpoint() {}',
          }))
          build.onLoad({ filter: /[\\/](lib|functions|local)[\\/].*\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8')
            return { loader: 'ts', contents: text.includes('import.meta.url') ? rewrite(path, text) : text }
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
