import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small file system that a test can fill. */
export interface SmallDisk {
  readonly path: string
  /** Fills the disk, except for `spare` bytes. */
  readonly fill: (spare?: number) => void
  /** Frees the space again. */
  readonly free: () => void
  readonly remove: () => void
}

/** @returns undefined, with a message, if this process may not mount a tmpfs */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'millrace-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', path], {
      stdio: 'pipe',
    })
  } catch {
    console.log('skipped: no tmpfs may be mounted here')
    rmSync(path, { recursive: true })
    return undefined
  }
  chmodSync(path, 0o711)
  const ballast = join(path, 'ballast')
  return {
    path,
    fill: (spare = 0) => {
      const block = Buffer.alloc(4_096)
      try {
        for (;;) writeFileSync(ballast, block, { flag: 'a' })
      } catch {
        // It is full.
      }
      if (spare > 0) truncateSync(ballast, statSync(ballast).size - spare)
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      execFileSync('umount', ['--lazy', path])
      rmSync(path, { recursive: true })
    },
  }
}
