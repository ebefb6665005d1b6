import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import { readSmallFile } from './read-small-file.ts'

/**
 * Reads `.env` and the files that the DAG lists, in this order; later files override earlier ones, and missing files
 * are skipped. The values are never stored: a new owner reads the files of its own machine.
 * @throws Error when a file is larger than 1 MiB
 */
export async function readDotenvFiles(
  listed: readonly string[],
  workingDir: string,
): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  for (const file of new Set(['.env', ...listed].map((name) => resolve(workingDir, name)))) {
    const text = await readIfThere(file)
    if (text === undefined) continue
    for (const [name, value] of Object.entries(parseEnv(text))) values.set(name, value ?? '')
  }
  return values
}

async function readIfThere(file: string): Promise<string | undefined> {
  if (!asStepUser(() => existsSync(file))) return undefined
  try {
    return await readSmallFile(file)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined
    throw error
  }
}
