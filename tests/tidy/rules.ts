import { posix } from 'node:path'
import { importsOf, type Tree } from './tree.ts'

/** A rule examines a tree and returns one line per violation. Each is also run on a planted bad tree (self.test.ts). */
export type Rule = (tree: Tree) => string[]

const code = (tree: Tree): [string, string][] => [...tree].filter(([path]) => /\.(tsx?|mjs)$/.test(path))
const lines = (text: string): number => text.split('\n').length - 1

/** Lines per file, by folder. There is no list of exceptions. */
export const sizes: Rule = (tree) =>
  code(tree).flatMap(([path, text]) => {
    const most =
      path.startsWith('functions/api/') && !/\/(index|routes(-v1)?)\.ts$/.test(path)
        ? 40
        : path.startsWith('tests/')
          ? 600
          : path.startsWith('web/')
            ? 200
            : 300
    const count = lines(text)
    const long = text.split('\n').findIndex((line) => line.length > 120)
    return [
      ...(count > most
        ? [`${path}: ${count} lines, at most ${most}: give a part of its job a file of its own`]
        : []),
      ...(long >= 0
        ? [`${path}:${long + 1}: longer than 120 characters; npm run fix breaks neither texts nor comments`]
        : []),
    ]
  })

const drawers = /(^|\/)(utils?|helpers?|common|misc|types|shared)(\.ts|\/)/

/** File names that say nothing, and file names that are not kebab-case. */
export const names: Rule = (tree) =>
  [...tree.keys()].flatMap((path) => [
    ...(drawers.test(path) ? [`${path}: a drawer, name it after its job`] : []),
    ...(/^[a-z0-9/._-]+$/.test(path) || /^[A-Z_]+\.md$/.test(path) || /\/(README\.md|Chart\.yaml)$/.test(path)
      ? []
      : [`${path}: not kebab-case`]),
  ])

interface Ban {
  readonly words: RegExp
  readonly where: RegExp
  readonly why: string
}

const bans: readonly Ban[] = [
  { words: /FIXME|XXX|HACK\b/, where: /./, why: 'unfinished work' },
  { words: /\bTODO\b/, where: /^(lib|functions|local|web)\//, why: 'unfinished work' },
  { words: /\bconsole\./, where: /^(lib|functions|web)\//, why: 'log through lib/telemetry' },
  {
    words: /process\.env/,
    where: /^(lib\/(?!config|app)|functions\/api\/(?!index))/,
    why: 'read settings through lib/config',
  },
  {
    words: /\b(sql|db)\.(begin|transaction)\(/,
    where: /^(lib|functions|local)\//,
    why: 'a driver transaction: see ARCHITECTURE.md',
  },
  {
    words: /Math\.random|Date\.now|new Date\(|performance\.now/,
    where: /^lib\/(engine|core)\//,
    why: 'the engine has no clock and no dice',
  },
  {
    words: /\bas any\b|: any\b/,
    where: /^(lib|functions|local|web|tests)\//,
    why: 'any: name the type, or read an unknown',
  },
  {
    words: /\b(setTimeout|sleep)\(/,
    where: /^tests\/(?!support|bench|tidy|chaos)/,
    why: 'a sleeping test: await a signal',
  },
  {
    words:
      /\b([Tt]ally|passOn|\w*[Ss]urroundings|OwnedRun|[a-z]*World|(type|interface) Place|[A-Z]\w*Place|\w+Round)\b/,
    where: /^(lib|functions|local|web)\//,
    why: 'a private word: see the terms in ARCHITECTURE.md',
  },
  { words: /from '(vitest|#tests)/, where: /^(lib|functions|local|web)\//, why: 'test code in the product' },
]

/** Words that must not occur where they stand. */
export const words: Rule = (tree) =>
  code(tree)
    .filter(([path]) => !path.startsWith('tests/tidy/'))
    .flatMap(([path, text]) =>
      bans
        .filter((ban) => ban.where.test(path))
        .flatMap((ban) => {
          const at = text
            .split('\n')
            .findIndex((line) => ban.words.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line))
          return at < 0 ? [] : [`${path}:${at + 1}: ${ban.why}`]
        }),
    )

/**
 * The layers, from the bottom up: a folder may import itself and the folders named here, nothing else of the
 * project. `npm`: packages it may import; undefined: any.
 */
export const layers: Readonly<Record<string, { may: readonly string[]; npm?: readonly string[] }>> = {
  'lib/core': { may: [], npm: [] },
  'lib/definition': { may: ['lib/core'], npm: ['yaml', 'valibot', 'croner', 're2js'] },
  'lib/engine': { may: ['lib/core', 'lib/definition'], npm: [] },
  'lib/client': { may: [], npm: [] },
  'lib/config': { may: ['lib/core'] },
  'lib/telemetry': { may: ['lib/core'] },
  'lib/privileges': { may: [] },
  'lib/db': { may: [] },
  'lib/files': { may: ['lib/core', 'lib/privileges'] },
  'lib/logs': { may: ['lib/core', 'lib/db', 'lib/files'] },
  'lib/executors': { may: ['lib/core', 'lib/definition', 'lib/files', 'lib/privileges'] },
  'lib/dags': { may: ['lib/core', 'lib/definition', 'lib/db'] },
  'lib/dag-folder': {
    may: ['lib/core', 'lib/definition', 'lib/db', 'lib/dags', 'lib/files', 'lib/telemetry'],
  },
  'lib/runs': { may: ['lib/core', 'lib/definition', 'lib/engine', 'lib/db', 'lib/dags'] },
  'lib/schedules': { may: ['lib/core', 'lib/definition', 'lib/db', 'lib/dags', 'lib/runs'] },
  'lib/queues': { may: ['lib/core', 'lib/db', 'lib/runs'] },
  'lib/workers': { may: ['lib/core', 'lib/db'] },
  'lib/users': { may: ['lib/core', 'lib/db', 'lib/audit'] },
  'lib/api-keys': { may: ['lib/core', 'lib/db'] },
  'lib/sessions': { may: ['lib/core', 'lib/db', 'lib/api-keys'] },
  'lib/audit': { may: ['lib/core', 'lib/db'] },
  'lib/tick': {
    may: [
      'lib/core',
      'lib/db',
      'lib/dags',
      'lib/runs',
      'lib/queues',
      'lib/schedules',
      'lib/workers',
      'lib/users',
      'lib/sessions',
      'lib/audit',
      'lib/logs',
      'lib/telemetry',
    ],
  },
  'lib/runner': {
    may: [
      'lib/core',
      'lib/definition',
      'lib/engine',
      'lib/executors',
      'lib/files',
      'lib/privileges',
      'lib/logs',
      'lib/db',
      'lib/dags',
      'lib/runs',
      'lib/telemetry',
      'lib/workers',
    ],
  },
  'lib/processes': { may: ['lib/db'] },
  'lib/doctor': {
    may: [
      'lib/core',
      'lib/config',
      'lib/db',
      'lib/dags',
      'lib/dag-folder',
      'lib/files',
      'lib/logs',
      'lib/runs',
      'lib/tick',
      'lib/workers',
    ],
  },
  'lib/api': {
    may: [
      'lib/core',
      'lib/definition',
      'lib/engine',
      'lib/logs',
      'lib/db',
      'lib/dags',
      'lib/runs',
      'lib/schedules',
      'lib/queues',
      'lib/workers',
      'lib/users',
      'lib/api-keys',
      'lib/sessions',
      'lib/audit',
      'lib/tick',
      'lib/doctor',
      'lib/processes',
      'lib/telemetry',
      'lib/config',
    ],
  },
  'lib/app': {
    may: [
      'lib/core',
      'lib/config',
      'lib/definition',
      'lib/telemetry',
      'lib/db',
      'lib/dags',
      'lib/schedules',
      'lib/files',
      'lib/logs',
    ],
  },
}

/** Entries of the lists of bounds and events that nothing uses. */
export const listsAreUsed: Rule = (tree) => {
  const product = code(tree).filter(([path]) => /^(lib|functions|local)\//.test(path))
  const isUsed = (list: string, word: string): boolean =>
    product.some(([path, text]) => path !== list && text.includes(word))
  const unused = (list: string, key: RegExp, use: (name: string) => string): string[] =>
    [...(tree.get(list) ?? '').matchAll(key)]
      .map(([, name = '']) => name)
      .filter((name) => !isUsed(list, use(name)))
      .map((name) => `${list}: nothing uses ${name}`)
  return [
    ...unused('lib/core/limits.ts', /^  (\w+):/gm, (name) => `limits.${name}`),
    ...unused('lib/telemetry/events.ts', /^  '([\w.-]+)':/gm, (name) => `'${name}'`),
  ]
}

const layerOf = (path: string): string => path.split('/').slice(0, 2).join('/')

function target(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return undefined
}

/** Imports run one way. */
export const importsRunOneWay: Rule = (tree) =>
  code(tree)
    .filter(([path]) => path.startsWith('lib/'))
    .flatMap(([path, text]) => {
      const own = layerOf(path)
      const layer = layers[own]
      if (layer === undefined) return [`${path}: ${own} is not in the table of layers`]
      return importsOf(text).flatMap((specifier) => {
        const file = target(path, specifier)
        if (file !== undefined) {
          return layerOf(file) === own || layer.may.includes(layerOf(file))
            ? []
            : [`${path}: imports ${file}; ${own} may import ${layer.may.join(', ') || 'nothing'}`]
        }
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/')
        return layer.npm === undefined || layer.npm.includes(name)
          ? []
          : [`${path}: imports ${specifier}; ${own} may import ${layer.npm.join(', ') || 'no package'}`]
      })
    })

/**
 * No file imports itself through others, not even a type. An import() at run time does not count: a command may list
 * all commands.
 */
export const importsFormNoCircle: Rule = (tree) => {
  const atRunTime = /\bimport\(\s*['"][^'"]+['"]\)/g
  const imports = new Map(
    code(tree).map(([path, text]) => {
      const files = importsOf(text.replaceAll(atRunTime, '')).flatMap((name) => target(path, name) ?? [])
      return [path, files.filter((file) => tree.has(file))] as const
    }),
  )
  const open: string[] = []
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string): void => {
    const from = open.indexOf(path)
    if (from >= 0) circles.push([...open.slice(from), path].join(' imports '))
    if (from >= 0 || done.has(path)) return
    open.push(path)
    for (const file of imports.get(path) ?? []) visit(file)
    open.pop()
    done.add(path)
  }
  for (const path of imports.keys()) visit(path)
  return circles
}

/** Only lib/db knows the driver: everything else speaks to a `Database`. */
export const driverIsHidden: Rule = (tree) =>
  code(tree)
    .filter(([path]) => !path.startsWith('lib/db/') && !path.startsWith('tests/tidy/'))
    .flatMap(([path, text]) =>
      importsOf(text)
        .filter((name) => /^(postgres|drizzle-orm\/postgres-js)(\/|$)/.test(name))
        .map((name) => `${path}: imports ${name}; only lib/db does, the rest is given a Database`),
    )

/** Endpoints know the verbs, not the database; the process that spawns loads neither the API nor Drizzle. */
export const endpointsAreThin: Rule = (tree) =>
  code(tree).flatMap(([path, text]) => {
    const banned = path.startsWith('functions/api/')
      ? /^(#lib\/db|drizzle-orm|postgres$)/
      : /^(lib\/(runner|executors)|functions\/runner)\//.test(path)
        ? /^(#lib\/api|drizzle-orm|hono|@hono)/
        : undefined
    if (banned === undefined) return []
    const why = path.startsWith('functions/api/')
      ? 'an endpoint calls a verb of lib, which has the query'
      : 'a runner stays small: plain SQL, and nothing of the API'
    return importsOf(text)
      .filter((name) => banned.test(name))
      .map((name) => `${path}: imports ${name}; ${why}`)
  })
