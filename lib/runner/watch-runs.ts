import { findStops } from '#lib/runs/stop/find-stops.ts'
import { Repeater } from './repeater.ts'
import type { RunnerDeps } from './runner-deps.ts'
import type { RunSessions } from './session/run-sessions.ts'

/**
 * Watches the runs of this runner: delivers stop requests to their sessions, and ended child runs to the steps that
 * wait for them. It polls; notifications only make it faster.
 */
export function watchRuns(
  { db, children }: RunnerDeps,
  sessions: RunSessions,
  { everyMs, onFailure }: { readonly everyMs: number; readonly onFailure: (error: unknown) => void },
): Repeater {
  const act = async (): Promise<'nothing'> => {
    if (sessions.size === 0) return 'nothing'
    void children.poll()
    const runKeys = sessions.list().map(({ run }) => run.runKey)
    for (const { runKey, at } of await findStops(db, runKeys)) sessions.of(runKey)?.stop(at)
    return 'nothing'
  }
  return new Repeater({ act, everyMs, slowestMs: everyMs, onFailure })
}
