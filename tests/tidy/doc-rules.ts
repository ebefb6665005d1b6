/** Markdown pages: path from the top, and text. */
export type Pages = readonly (readonly [string, string])[]

/** Links that lead to no file of the project. */
export function brokenLinks(pages: Pages, exists: (page: string, target: string) => boolean): string[] {
  return pages.flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map((match) => match[1] ?? '')
      .filter((target) => !/^[a-z]+:/.test(target) && !exists(path, target))
      .map((target) => `${path}: ${target}`),
  )
}

/** Files of the project that a page names, from its top, and that do not exist. */
export function missingFiles(pages: Pages, exists: (path: string) => boolean): string[] {
  const named = /`((?:docs|functions|infra|lib|local|migrations|tests|web)\/[\w./-]+\.[a-z]+)`/g
  return pages.flatMap(([path, text]) =>
    [...text.matchAll(named)]
      .map((match) => match[1] ?? '')
      .filter((file) => !exists(file))
      .map((file) => `${path}: there is no ${file}`),
  )
}

/** Commands of npm that a page names and package.json does not have. */
export function unknownScripts(pages: Pages, scripts: readonly string[]): string[] {
  const known = new Set(['ci', 'install', 'uninstall', 'pack', 'publish', 'run', 'audit', ...scripts])
  return pages.flatMap(([path, text]) =>
    [...text.matchAll(/`npm (?:run )?([a-z][a-z-]*)/g)]
      .map((match) => match[1] ?? '')
      .filter((script) => !known.has(script))
      .map((script) => `${path}: npm run ${script}`),
  )
}

/** A block of shell lines of a page. */
interface ShellBlock {
  readonly page: string
  readonly text: string
}

/** The blocks of a page that are marked as shell. */
export function shellBlocks(pages: Pages): ShellBlock[] {
  return pages.flatMap(([page, text]) =>
    [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => ({ page, text: block })),
  )
}

/** Commands of `millrace` in shell blocks, also within a container, that the command line would not understand. */
export function misspelledCommands(
  blocks: readonly ShellBlock[],
  understand: (words: readonly string[]) => void,
): string[] {
  return blocks.flatMap(({ page, text }) =>
    text
      .replaceAll('\\\n', ' ')
      .split('\n')
      .flatMap((line) => [...line.matchAll(/(?:^|-- |exec -T \w+ )millrace ([a-z][^|<>&;()]*)/g)])
      .flatMap(([, call = '']) => {
        try {
          understand(wordsOf(call))
          return []
        } catch (error) {
          return [`${page}: millrace ${call.trim()}: ${String(error)}`]
        }
      }),
  )
}

/** Words as a shell would split them, without expansions. */
function wordsOf(line: string): string[] {
  const words = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []
  return words.map((word) => word.replaceAll(/^['"]|['"]$/g, ''))
}
