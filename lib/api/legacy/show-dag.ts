import type { InferOutput } from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { badRequest } from '#lib/core/errors.ts'
import type { StoredDag } from '#lib/dags/get-dag.ts'
import { currentRun } from '#lib/runs/current-run.ts'
import { findStep } from '#lib/runs/find-step.ts'
import { getRun } from '#lib/runs/get-run.ts'
import { loadRun } from '#lib/runs/load-run.ts'
import { readHistory } from '#lib/runs/read-history.ts'
import type { RunRecord } from '#lib/runs/run-record.ts'
import { presentDagAnswer } from '../present/dag.ts'
import { presentGrid } from '../present/grid.ts'
import { presentRun } from '../present/run.ts'
import { readRunLog, readStepLog } from '../read-log.ts'
import type { Services } from '../services.ts'
import { legacyKeys } from './keys.ts'
import type { LegacyTabQuery } from './schemas.ts'

type Tab = InferOutput<typeof LegacyTabQuery>

/** A DAG as /api/v1 shows it: a fixed frame, in which the requested tab is filled. */
export async function showLegacyDag(
  dag: StoredDag,
  query: Tab,
  services: Services,
): Promise<Record<string, unknown>> {
  const { db, definitions } = services
  const run = query.file ? await getRun(db, { dagName: dag.dagName, runId: query.file }) : undefined
  const shown = run ?? (await currentRun(db, dag.dagName))
  const status = shown && presentRun(await loadRun(db, definitions, shown), services)
  const answer = presentDagAnswer(dag, undefined, services)
  return {
    Title: answer.dag.name,
    Tab: query.tab,
    DAG: {
      File: `${dag.fileName}.yaml`,
      DAG: legacyKeys(answer.dag),
      Status: status === undefined ? null : legacyKeys(status),
      Suspended: dag.suspended,
      Error: answer.errors.join('; '),
    },
    Definition: query.tab === 'spec' ? dag.spec : '',
    Errors: answer.errors,
    ...(await partOf(dag, query, shown, services)),
  }
}

async function partOf(
  dag: StoredDag,
  { tab, step }: Tab,
  run: RunRecord | undefined,
  services: Services,
): Promise<Record<string, unknown>> {
  const { db, definitions, logs } = services
  const window = { tail: limits.logLinesMax }
  if (tab === 'history') {
    const history = await readHistory(db, definitions, dag.dagName)
    return {
      LogData: {
        GridData: presentGrid(history).map(({ name, history: values }) => ({ Name: name, Vals: values })),
        Logs: history.map((state) => ({
          File: state.run.runId,
          Status: legacyKeys(presentRun(state, services)),
        })),
      },
    }
  }
  if ((tab !== 'log' && tab !== 'scheduler-log') || run === undefined) return {}
  if (tab === 'scheduler-log') {
    return { ScLog: { LogFile: run.runId, Content: (await readRunLog(logs, run, window)).content } }
  }
  if (step === undefined) throw badRequest('step: is required for the tab log')
  const found = await findStep(db, definitions, { run, stepName: step })
  const { content } = await readStepLog(logs, found, { ...window, stream: 'stdout' })
  return { StepLog: { LogFile: run.runId, Step: step, Content: content } }
}
