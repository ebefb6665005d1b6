import { join, resolve } from 'node:path'
import { stepHome } from '#lib/privileges/step-identity.ts'

/** Resolves a path of a step: `~/` is the home of the user that runs it; relative paths start at `folder`. */
export function pathOf(path: string, folder: string): string {
  return path.startsWith('~/') ? join(stepHome(), path.slice(2)) : resolve(folder, path)
}
