import { realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'

/**
 * Finds the files to attach. They must be inside the working directory, also after links are resolved.
 * @throws Error that names the file
 */
export async function findAttachments(
  paths: readonly string[],
  workingDir: string,
): Promise<{ filename: string; path: string }[]> {
  const folder = await realpath(workingDir)
  return Promise.all(paths.map((path) => findOne(path, folder)))
}

async function findOne(given: string, folder: string): Promise<{ filename: string; path: string }> {
  const path = await realpath(resolve(folder, given)).catch(() => {
    throw new Error(`attachment ${given} does not exist`)
  })
  const place = relative(folder, path)
  if (place === '..' || place.startsWith(`..${sep}`) || isAbsolute(place)) {
    throw new Error(`attachment ${given} lies outside the working directory of the step`)
  }
  if (!(await stat(path)).isFile()) throw new Error(`attachment ${given} is no file`)
  return { filename: basename(given), path }
}
