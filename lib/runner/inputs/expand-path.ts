import { resolve } from 'node:path'
import { expandTraced } from '#lib/definition/values/expand.ts'
import { inHome } from '#lib/definition/values/home.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { stepHome } from '#lib/privileges/step-identity.ts'

/** An expanded path of a DAG file, and the folders in which it must lie. */
export interface ExpandedPath {
  /** The expanded text. */
  readonly text: string
  /** Absolute. */
  readonly path: string
  readonly bounds: readonly FileBound[]
}

/**
 * Expands the text of a path. Foreign values (of callers, outputs and items) cannot lead out of the folder that the
 * author wrote. That folder is the text up to the last slash before the first foreign value; without such a slash, it
 * is `base`.
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

/** Resolves a path of a DAG file against a folder. `~` is the home directory of the steps. */
export function pathFrom(folder: string, written: string): string {
  return resolve(folder, inHome(written.trim(), stepHome()))
}
