import { resolve } from 'node:path'
import { inHome } from '#lib/definition/values/home.ts'
import { stepHome } from '#lib/privileges/step-identity.ts'

/** Resolves a path of a step: `~` is the home of the user that runs it; relative paths start at `folder`. */
export function pathOf(path: string, folder: string): string {
  return resolve(folder, inHome(path, stepHome()))
}
