import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { unusedFolders } from '#lib/runs/retention/unused-folders.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { Repeater } from '../repeater.ts'
import { sweepFolders } from './sweep-folders.ts'
import { sweepTemporaryFolders } from './sweep-temporary.ts'

interface Sweeper {
  readonly db: Database
  readonly log: Log
  readonly workDir: string
  readonly folderIdleMs?: number
}

/**
 * Removes unused working and temporary folders, now and every hour. Does not log an unreachable database: the lease
 * loop does.
 * @returns a function that stops it; a sweep in progress continues
 */
export function keepSweeping({ db, log, workDir, folderIdleMs = limits.folderIdleMs }: Sweeper): () => void {
  const sweeping = new Repeater({
    act: async () => {
      await sweepTemporaryFolders().catch((error: unknown) =>
        log.warn({ event: 'run.left-behind', error }, 'temporary folders cannot be removed'),
      )
      const count = await sweepFolders({
        workDir,
        unused: (names) => unusedFolders(db.within(limits.longStatementMsMax), names),
        idleMs: folderIdleMs,
        onFailure: (folder, error) =>
          log.warn({ event: 'run.left-behind', folder, error }, 'a working folder cannot be removed'),
      })
      if (count > 0)
        log.info({ event: 'folder.removed', count }, 'working folders without a DAG or a run were removed')
      return 'nothing'
    },
    everyMs: limits.sweepEveryMs,
    slowestMs: limits.sweepEveryMs,
    onFailure: () => undefined,
  })
  sweeping.start()
  return () => void sweeping.stop()
}
