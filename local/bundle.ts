import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as esbuild from 'esbuild'

export interface Bundling {
  /** The entry: its output is `<name>.mjs`. */
  readonly name: string
  readonly source: string
  /** Packages that are found where the bundle runs. */
  readonly external: readonly string[]
  /** Called with every source that finds a file by `import.meta.url`; answers the text that is bundled in its place. */
  readonly place: (source: string, text: string) => string
}

export interface Bundled {
  readonly files: esbuild.OutputFile[]
  /** Paths of all that went into them. */
  readonly inputs: string[]
}

const top = resolve(import.meta.dirname, '..')

/** What packages written as CommonJS take for given. */
const banner =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url), " +
  '__filename = import.meta.filename, __dirname = import.meta.dirname;'

/**
 * Bundles an entry and all that it imports into one file; what is imported lazily becomes a file of its own beside it,
 * so that the clients of single executors are loaded when a step first needs them. Nothing is written.
 */
export async function bundle({ name, source, external, place }: Bundling): Promise<Bundled> {
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
        name: 'places',
        setup: (build) => {
          // Nothing ever happens at a failpoint here: an empty function, of which nothing is left.
          build.onLoad({ filter: /[\\/]lib[\\/]core[\\/]failpoint\.ts$/ }, () => ({
            contents: 'export function failpoint() {}',
          }))
          build.onLoad({ filter: /[\\/](lib|functions|local)[\\/].*\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8')
            return { loader: 'ts', contents: text.includes('import.meta.url') ? place(path, text) : text }
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
