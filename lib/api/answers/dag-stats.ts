import type { InferOutput } from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import type { Database } from '#lib/db/client.ts'
import { readDagStats, statsVersion, type DagStats } from '#lib/runs/counts/dag-stats.ts'
import type { DagStatsAnswer } from '#lib/api/schemas/dag-stats.ts'

type Answer = InferOutput<typeof DagStatsAnswer>

/** Typical durations of the runs of a DAG. Cached while its newest runs are the same, which the database is asked. */
export interface DagStatsReader {
  readonly read: (dagName: string, runs: number) => Promise<Answer>
}

export function createDagStats(db: Database): DagStatsReader {
  const kept = new RecentlyUsed<{ readonly version: string; readonly answer: Answer }>(
    limits.stepStatsKeptMax,
  )
  return {
    read: async (dagName, runs) => {
      const name = `${runs} ${dagName}`
      const version = await statsVersion(db, dagName, runs)
      const known = kept.get(name)
      if (known?.version === version) return known.answer
      const answer = present(await readDagStats(db, dagName, runs))
      kept.set(name, { version, answer }, 1 + Object.keys(answer.steps).length)
      return answer
    },
  }
}

function present({ runs, steps, ...rest }: DagStats): Answer {
  return {
    runs,
    ...known(rest),
    steps: Object.fromEntries(
      Object.entries(steps).map(([step, { failRate, ...times }]) => [step, { ...known(times), failRate }]),
    ),
  }
}

/** The fields that have a value. A clock that was set back must not produce negative times. */
function known<Name extends string>(
  values: Readonly<Record<Name, number | null>>,
): { [Key in Name]?: number } {
  const present = Object.entries<number | null>(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, Math.max(0, value)] as const],
  )
  return Object.fromEntries(present) as { [Key in Name]?: number }
}
