import { invariant } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { RecentlyUsed } from '#lib/core/recently-used.ts'
import type { Database } from '#lib/db/client.ts'
import { isFinalRun } from '#lib/core/status.ts'
import { getRunWithSteps } from '#lib/runs/read/get-run-with-steps.ts'
import { completeRun, loadRootRun, type RunState } from '#lib/runs/read/load-run.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import type { RunRef } from '#lib/runs/read/run-record.ts'
import type { Presentation } from '#lib/api/present/presentation.ts'
import { stateInAttempt } from '#lib/runs/read/state-in-attempt.ts'
import { presentIn, type RunForm } from '#lib/api/present/run-form.ts'
import { viewed, type View } from '#lib/api/auth/shown-to.ts'

/** Root runs as JSON. Those that have ended are kept, and the database is asked whether they still hold. */
export interface RunDetails {
  /**
   * @param how.attempt the present one when absent
   * @param how.form with whole steps when absent
   * @throws ServiceError `not_found`, and `bad_request` for an attempt of which nothing is known
   */
  readonly read: (
    ref: RunRef,
    view: View,
    how?: { attempt?: number | undefined; form?: RunForm },
  ) => Promise<string>
}

interface RunDetailsDeps extends Presentation {
  readonly db: Database
  readonly definitions: DefinitionReader
}

export function createRunDetails({ db, logs, labels, definitions }: RunDetailsDeps): RunDetails {
  const kept = new RecentlyUsed<{ readonly rowVersion: string; readonly json: string }>(
    limits.runDetailsKeptBytes,
  )
  return {
    read: async (ref, view, { attempt, form = 'whole' } = {}) => {
      const present = (state: RunState): string =>
        JSON.stringify(presentIn[form](viewed(state, view), { logs, labels }))
      if (attempt !== undefined) {
        return present(stateInAttempt(await loadRootRun(db, definitions, ref), attempt))
      }
      if (ref.runId === 'latest') return present(await loadRootRun(db, definitions, ref))
      const name = `${form}/${view.name}/${ref.dagName}/${ref.runId}`
      const known = kept.get(name)
      const found = await getRunWithSteps(db, ref, known?.rowVersion)
      if (found === undefined) {
        invariant(known !== undefined, 'only a version that was given can be unchanged')
        return known.json
      }
      const state = await completeRun(db, definitions, found)
      const json = present(state)
      // The runs that its steps have started go on changing by themselves.
      const isSettled = isFinalRun(state.run.status) && state.children.length === 0
      if (isSettled) kept.set(name, { rowVersion: found.rowVersion, json }, json.length)
      return json
    },
  }
}
