import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A tree as the tidy rules see it: path from the top, with forward slashes → text. */
export type Tree = ReadonlyMap<string, string>

const top = new URL('../..', import.meta.url).pathname
const folders = ['functions', 'lib', 'local', 'web', 'migrations', 'infra', 'docs', 'tests']

/** Reads the text files of the project itself; generated files (`.gen.ts`) and data are left out by their ending. */
export function projectTree(): Tree {
  const tree = new Map<string, string>()
  for (const folder of folders) {
    for (const entry of readdirSync(join(top, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/(?<!\.gen)\.(tsx?|mjs|css|sql|md|yaml)$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      if (path.startsWith(join(top, 'web/built/'))) continue
      tree.set(path.slice(top.length), readFileSync(path, 'utf8'))
    }
  }
  for (const page of readdirSync(top).filter((name) => name.endsWith('.md'))) {
    tree.set(page, readFileSync(join(top, page), 'utf8'))
  }
  return tree
}

/** Reads one file from the top of the project, for rules that look at data as well. */
export function projectFile(path: string): string {
  return readFileSync(join(top, path), 'utf8')
}

/** What a module imports, as written, static and dynamic. */
export function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\n[^'"\n;]*?)*?\bfrom\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g
  const plain = [...text.matchAll(/(?:^|\n)import\s*['"]([^'"]+)['"]/g)].flatMap((match) => match[1] ?? [])
  return [...plain, ...[...text.matchAll(pattern)].flatMap((match) => match[1] ?? match[2] ?? [])]
}
