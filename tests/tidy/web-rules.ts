import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { Rule } from './rules.ts'
import { importsOf, type Tree } from './tree.ts'

const modules = (tree: Tree): [string, string][] => [...tree].filter(([path]) => /^web\/.*\.tsx?$/.test(path))
const sheets = (tree: Tree): [string, string][] => [...tree].filter(([path]) => /^web\/.*\.css$/.test(path))

/**
 * The folders of the page: what each may import, of the page and of the rest, and which packages. `main` and `routes`
 * are the only files beside them.
 */
export const webLayers: Readonly<Record<string, { may: readonly string[]; npm: readonly string[] }>> = {
  model: { may: ['lib/core/status.ts'], npm: [] },
  workers: { may: ['model'], npm: [] },
  data: {
    may: ['model', 'lib/client', 'lib/core/status.ts'],
    npm: ['preact', '@preact/signals', '@tanstack/query-core'],
  },
  controls: { may: ['model'], npm: ['preact', '@preact/signals'] },
  parts: {
    may: ['model', 'data', 'controls', 'lib/core/help-pages.ts'],
    npm: ['preact', '@preact/signals', 'preact-iso'],
  },
  pages: {
    may: [
      'model',
      'data',
      'controls',
      'parts',
      'lib/client',
      'lib/core/help-pages.ts',
      'lib/definition/crontab',
    ],
    npm: ['preact', '@preact/signals', 'preact-iso'],
  },
  start: { may: ['data', 'parts', 'pages', 'start'], npm: ['preact', 'preact-iso'] },
  // `local/docs` builds the pages of the documents; this folder has what they need in a browser.
  docs: { may: ['data'], npm: [] },
}

const folderOf = (path: string): string =>
  path.split('/').length === 2 ? 'start' : (path.split('/')[1] ?? '')
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
/** A page is a folder below `pages`. */
const pageOf = (path: string): string | undefined => /^web\/pages\/([^/]+)\//.exec(path)?.[1]

function faultOf(path: string, specifier: string): string | undefined {
  const own = folderOf(path)
  const layer = webLayers[own]
  if (layer === undefined) return `${path}: web/${own} is not in the table of folders`
  const fault = `${path}: imports ${specifier}; see webLayers in tests/tidy/web-rules.ts`
  if (specifier.startsWith('.')) {
    const file = posix.join(posix.dirname(path), specifier)
    if (pageOf(file) !== undefined && own === 'pages' && pageOf(file) !== pageOf(path)) return fault
    return folderOf(file) === own || layer.may.includes(folderOf(file)) ? undefined : fault
  }
  if (specifier.startsWith('#')) {
    return layer.may.some((path) => specifier.slice(1).startsWith(path)) ? undefined : fault
  }
  if (specifier === 'preact-iso') return fault
  // Colours of logs are read in one place.
  if (specifier === 'anser') return path.startsWith('web/parts/log-view/') ? undefined : fault
  // Lines are compared in one place.
  if (specifier === 'diff') return path.startsWith('web/parts/diff-view/') ? undefined : fault
  // The editor is created in one place, and loaded only when a text is edited.
  if (/^@(codemirror|lezer)\//.test(specifier)) {
    return path.startsWith('web/parts/spec-editor/') ? undefined : fault
  }
  return layer.npm.includes(packageOf(specifier)) ? undefined : fault
}

/** Imports of the page run one way, and nothing else imports the page. */
export const webImportsRunOneWay: Rule = (tree) => [
  ...modules(tree).flatMap(([path, text]) =>
    importsOf(text).flatMap((specifier) => faultOf(path, specifier) ?? []),
  ),
  ...[...tree]
    .filter(([path]) => /^(lib|functions|local)\/.*\.ts$/.test(path))
    .filter(([, text]) =>
      importsOf(text).some((name) => /(^#|\/)web\//.test(name) && !name.includes('web-page/')),
    )
    .map(([path]) => `${path}: imports the page`),
]

const makers = new Set(['createContext', 'lazy'])
interface Initial {
  readonly type: string
  readonly callee?: { readonly type: string; readonly name?: string }
}
const isPlain = (initial: Initial | null): boolean =>
  initial?.type !== 'CallExpression' || makers.has(initial.callee?.name ?? '')

/**
 * Nothing happens when a module of the page is imported, as pieces of a split bundle may be run early: at the top stand
 * only imports, types, functions, classes and constants that are not the result of a call. The files `main` start the
 * page and the documents, and a worker is started by its file.
 */
export const nothingHappensAtImport: Rule = (tree) =>
  modules(tree)
    .filter(([path]) => !/^web\/(docs\/)?main\.tsx?$/.test(path) && !path.startsWith('web/workers/'))
    .flatMap(([path, text]) => {
      const { program } = parseSync(path, text)
      return program.body.flatMap((statement) => {
        const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (inner === null || inner === undefined) return []
        const fault = `${path}:${text.slice(0, inner.start).split('\n').length}: happens at import`
        if (inner.type === 'VariableDeclaration') {
          const isConstant = inner.kind === 'const'
          return isConstant && inner.declarations.every(({ init }) => isPlain(init as Initial | null))
            ? []
            : [fault]
        }
        const isDeclaration = /^(Import|Export|Function|Class|TS\w+)\w*Declaration$/.test(inner.type)
        return isDeclaration ? [] : [fault]
      })
    })

const index = 'web/styles/index.css'
/** The style sheet of the documents, whose pages are built elsewhere. */
const docsSheet = 'web/docs/docs.css'
const colour = /#[0-9a-f]{3,8}\b(?![-\w])|\b(rgb|hsl|oklch|oklab|lab|lch)a?\(/i

/** Each sheet is in the index once; classes are named in the code; colours are in one file. */
export const webStyles: Rule = (tree) => {
  const code = [...tree]
    .filter(([path]) => /^(web|local\/docs)\/.*\.tsx?$/.test(path))
    .map(([, text]) => text)
    .join('\n')
  const listed = [...(tree.get(index) ?? '').matchAll(/@import '([^']+)'/g)].map(([, name = '']) =>
    posix.join('web/styles', name),
  )
  return sheets(tree).flatMap(([path, text]) => {
    if (path === index) return []
    const count = listed.filter((name) => name === path).length
    const classes = new Set([...text.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map(([, name = '']) => name))
    const unused = [...classes].filter((name) => !isNamed(name, code))
    return [
      ...(count === (path === docsSheet ? 0 : 1) ? [] : [`${path}: ${count} times in ${index}`]),
      ...unused.map((name) => `${path}: nothing has the class ${name}`),
      ...(text.includes('!important') ? [`${path}: !important`] : []),
      ...(!path.endsWith('/tokens.css') && colour.test(text)
        ? [`${path}: a colour outside of tokens.css`]
        : []),
    ]
  })
}

/** As a whole, or as a prefix with a word of the program behind it: `state-mark-${state}`. */
function isNamed(name: string, code: string): boolean {
  if (new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code)) return true
  return name
    .split('-')
    .some((_, index, words) => index > 0 && code.includes(`${words.slice(0, index).join('-')}-\${`))
}
