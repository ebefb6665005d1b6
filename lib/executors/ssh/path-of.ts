import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** A path as a step writes it: `~/` is the home of the runner's user, what is relative lies below `folder`. */
export function pathOf(path: string, folder: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path)
}
