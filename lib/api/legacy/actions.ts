import * as v from 'valibot'
import { badRequest } from '#lib/core/errors.ts'
import type { Change } from '#lib/dags/change.ts'
import type { StoredDag } from '#lib/dags/get-dag.ts'
import { refuseOwned } from '#lib/dags/owning-files.ts'
import { renameDag } from '#lib/dags/rename-dag.ts'
import { saveSpec } from '#lib/dags/save-spec.ts'
import { setSuspended } from '#lib/dags/set-suspended.ts'
import { problemTexts } from '#lib/definition/read-spec.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { setStepStatus } from '#lib/runs/steps/set-step-status.ts'
import { requestStop } from '#lib/runs/stop/stop-run.ts'
import { rerun } from '#lib/runs/start/rerun.ts'
import { startRun } from '#lib/runs/start/start-run.ts'
import { stopAllRuns } from '#lib/runs/stop/stop-all-runs.ts'
import type { Access } from '../auth/access.ts'
import type { Caller } from '../auth/auth.ts'
import { parseInput } from '#lib/api/requests/read-input.ts'
import { triggeredBy } from '#lib/api/requests/triggered-by.ts'
import { UpdateSpecBody, StartBody } from '../schemas/bodies.ts'
import { NewFileName } from '../schemas/names.ts'
import type { Services } from '../services.ts'
import type { LegacyActionInput } from './schemas.ts'

interface LegacyAction {
  /** The access of the same call in the current version. */
  readonly access: Access
  act(
    dag: StoredDag,
    input: LegacyActionInput,
    services: Services & { readonly change: Change },
    caller: Caller,
  ): Promise<void>
}

/** The actions of `POST /api/v1/dags/{name}`. */
export const legacyActions: Readonly<Record<LegacyActionInput['action'], LegacyAction>> = {
  start: {
    access: 'run',
    async act(dag, { params }, { db, definitions, now }, caller) {
      const body = parseInput(StartBody, { singleton: true, ...(params !== undefined && { params }) })
      const by = triggeredBy(caller)
      await startRun(db, definitions, dag, { mode: 'start', trigger: 'api', ...by, now: now(), ...body })
    },
  },
  stop: {
    access: 'run',
    async act(dag, { requestId = '' }, { db }) {
      if (requestId === '') await stopAllRuns(db, dag.dagName)
      else await requestStop(db, await getRun(db, { dagName: dag.dagName, runId: requestId }))
    },
  },
  retry: {
    access: 'run',
    async act(dag, input, { db, definitions, now }) {
      const run = await getRun(db, { dagName: dag.dagName, runId: required(input, 'requestId') })
      await rerun(db, definitions, { run, newRunId: run.runId, now: now() })
    },
  },
  suspend: {
    access: 'run',
    async act(dag, { value }, { db }) {
      await setSuspended(db, { fileName: dag.fileName, suspended: value === 'true' })
    },
  },
  'mark-success': { access: 'run', act: (dag, input, services) => mark(dag, input, services, 4) },
  'mark-failed': { access: 'run', act: (dag, input, services) => mark(dag, input, services, 2) },
  save: {
    access: 'write',
    async act({ fileName }, { value }, { db, defaults, change }) {
      await refuseOwned(db, fileName)
      const { spec } = parseInput(UpdateSpecBody, { spec: value })
      const file = { fileName, spec, version: undefined, change }
      const { problems } = await saveSpec(db, { ...(await defaults()), ...file })
      if (problems.length > 0) throw badRequest(`the spec has errors: ${problemTexts(problems).join('; ')}`)
    },
  },
  rename: {
    access: 'write',
    async act({ fileName }, { value }, { db, change }) {
      const { value: newFileName } = parseInput(v.object({ value: NewFileName }), { value })
      await refuseOwned(db, fileName, newFileName)
      await renameDag(db, { fileName, newFileName, change })
    },
  },
}

async function mark(
  dag: StoredDag,
  input: LegacyActionInput,
  { db, definitions }: Services,
  statusCode: number,
): Promise<void> {
  const stepName = required(input, 'step')
  const run = await getRun(db, { dagName: dag.dagName, runId: required(input, 'requestId') })
  const step = await findStep(db, definitions, { run, stepName })
  await setStepStatus(db, { step, statusCode })
}

function required(input: LegacyActionInput, field: 'requestId' | 'step'): string {
  const given = input[field] ?? ''
  if (given === '') throw badRequest(`${field}: is required for ${input.action}`)
  return given
}
