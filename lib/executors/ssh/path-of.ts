import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Resolves a path of a step: `~/` is the home of the runner's user; relative paths start at `folder`. */
export function pathOf(path: string, folder: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path)
}
