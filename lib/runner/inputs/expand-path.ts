import { resolve } from 'node:path'
import { expandTraced } from '#lib/definition/values/expand.ts'
import { inHome } from '#lib/definition/values/home.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { stepHome } from '#lib/privileges/step-identity.ts'

/** A path of a DAG file with its values, and where the file must be. */
export interface ExpandedPath {
  /** The text with its values. */
  readonly text: string
  /** Absolute. */
  readonly path: string
  readonly bounds: readonly FileBound[]
}

/**
 * Expands the text of a path. What callers, outputs and items add to it never leads out of the folder that the author
 * of the file named: of what the author wrote, the text up to the last slash before the first foreign value. Without
 * such a slash, it is `base`.
 * @throws any error of `run`
 */
export async function expandPath(
  text: string,
  base: string,
  { scope, run }: { readonly scope: Scope; readonly run: CommandRunner },
): Promise<ExpandedPath> {
  const { text: written, own } = await expandTraced(text, scope, run)
  const path = pathFrom(base, written)
  if (own >= written.length) return { text: written, path, bounds: [] }
  const start = written.slice(0, own)
  const folder = pathFrom(base, start.slice(0, start.lastIndexOf('/') + 1))
  const fault = `is outside of ${folder}, which a value of a caller or of a step cannot leave`
  return { text: written, path, bounds: [{ folders: [folder], fault }] }
}

/** A path that a DAG names, as an absolute one: relative to a folder, `~` is the home directory of the steps. */
export function pathFrom(folder: string, written: string): string {
  return resolve(folder, inHome(written.trim(), stepHome()))
}
