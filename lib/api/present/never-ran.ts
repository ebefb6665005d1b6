import type { InferOutput } from 'valibot'
import type { Definition } from '#lib/definition/definition.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'
import type { RunDetails, RunSummary } from '../schemas/run.ts'
import type { Presentation } from './presentation.ts'
import { presentRun } from './run.ts'
import { presentRunSummary } from './run-summary.ts'

/** What clients get as the latest run of a DAG that never ran: a run without an id that has not started. */
export function presentNoRun(dagName: string, presentation: Presentation): InferOutput<typeof RunSummary> {
  return { ...presentRunSummary(noRun(dagName), presentation), ...unrelated }
}

/** The same with the steps of the definition. */
export function presentNoRunDetails(
  definition: Definition,
  presentation: Presentation,
): InferOutput<typeof RunDetails> {
  const state = { run: noRun(definition.name), definition, steps: new Map(), children: [] }
  return { ...presentRun(state, presentation), ...unrelated }
}

/** A run that does not exist has neither a log nor a root. */
const unrelated = { log: '', rootDAGRunName: '' }

function noRun(dagName: string): RunRecord {
  return {
    runKey: '0',
    runId: '',
    dagName,
    fileName: undefined,
    document: undefined,
    definitionHash: '',
    status: 'not_started',
    attempt: 0,
    trigger: '',
    scheduledAt: undefined,
    owner: undefined,
    root: { dagName, runId: '' },
    parent: undefined,
    queue: undefined,
    priority: 0,
    createdAt: 0,
    stopRequestedAt: undefined,
    queuedAt: undefined,
    startedAt: undefined,
    finishedAt: undefined,
    paramsGiven: undefined,
    params: undefined,
    ending: undefined,
    pastAttempts: [],
    triggeredBy: undefined,
    ownerHost: '',
    error: '',
  }
}
