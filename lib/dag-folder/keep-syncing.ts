import { setTimeout as pause } from 'node:timers/promises'
import { FolderSync, type FolderDeps } from './sync-folder.ts'

const lookEveryMs = 2_000
/** A file that is being written is looked at again. */
const settleMs = 200

/**
 * Reads a folder of DAGs now, and again every other second. A pass that fails is logged and repeated.
 * @param onPass for tests: called after each pass
 * @throws Error when the first pass fails
 */
export async function keepSyncing(
  deps: FolderDeps,
  folder: string,
  onPass?: () => void,
): Promise<{ stop(): Promise<void> }> {
  const sync = new FolderSync(deps, folder)
  const stopping = new AbortController()
  let failed: string | undefined
  await sync.pass()
  const pass = async (): Promise<number> => {
    try {
      const outcome = await sync.pass()
      failed = undefined
      return outcome === 'changing' ? settleMs : lookEveryMs
    } catch (error) {
      // A lasting failure is logged once.
      if (failed !== String(error))
        deps.log.error(
          { event: 'dag.unread', folder, error },
          'the folder of DAGs was not stored; trying again',
        )
      failed = String(error)
      return lookEveryMs
    }
  }
  const loop = async (): Promise<void> => {
    for (let waitMs = lookEveryMs; !stopping.signal.aborted;) {
      await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) break
      waitMs = await pass()
      onPass?.()
    }
    await sync.release().catch(() => undefined)
  }
  const done = loop()
  return {
    stop: () => {
      stopping.abort()
      return done
    },
  }
}

/** Reads the folder once, for an external scheduler. */
export async function syncOnce(deps: FolderDeps, folder: string): Promise<void> {
  const sync = new FolderSync(deps, folder)
  try {
    await sync.pass()
  } finally {
    await sync.release()
  }
}
