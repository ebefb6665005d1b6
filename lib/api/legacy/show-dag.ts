import type { InferOutput } from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { badRequest } from '#lib/core/errors.ts'
import type { StoredDag } from '#lib/dags/get-dag.ts'
import { currentRun } from '#lib/runs/read/current-run.ts'
import { findStep } from '#lib/runs/steps/find-step.ts'
import { getRun } from '#lib/runs/read/get-run.ts'
import { loadRun } from '#lib/runs/read/load-run.ts'
import { readHistory } from '#lib/runs/read/read-history.ts'
import type { RunRecord } from '#lib/runs/read/run-record.ts'
import { LogText } from '#lib/api/logs/log-text.ts'
import { presentDagAnswer } from '../present/dag.ts'
import { presentGrid } from '../present/grid.ts'
import { presentRun } from '../present/run.ts'
import { runLogState, stepLogState } from '../logs/log-state.ts'
import { readLog } from '#lib/api/logs/read-log.ts'
import type { Services } from '../services.ts'
import { viewed, type View } from '#lib/api/auth/shown-to.ts'
import { legacyKeys } from './keys.ts'
import type { LegacyTabQuery } from './schemas.ts'

type ViewedServices = Services & { readonly view: View }
type Tab = InferOutput<typeof LegacyTabQuery>

/** A DAG as /api/v1 shows it: a fixed frame, in which the requested tab is filled. */
export async function showLegacyDag(
  dag: StoredDag,
  query: Tab,
  services: ViewedServices,
): Promise<Record<string, unknown> | LogText<Record<string, unknown>>> {
  const { db, definitions, view } = services
  const run = query.file ? await getRun(db, { dagName: dag.dagName, runId: query.file }) : undefined
  const shown = run ?? (await currentRun(db, dag.dagName))
  const status = shown && presentRun(viewed(await loadRun(db, definitions, shown), view), services)
  const { zone } = await services.defaults()
  const answer = presentDagAnswer(dag, undefined, { ...services, zone })
  const frame = {
    Title: answer.dag.name,
    Tab: query.tab,
    DAG: {
      File: `${dag.fileName}.yaml`,
      DAG: legacyKeys(answer.dag),
      Status: status === undefined ? null : legacyKeys(status),
      Suspended: dag.suspended,
      Error: answer.errors.join('; '),
    },
    Definition: query.tab === 'spec' ? view.spec(dag.spec) : '',
    Errors: answer.errors,
  }
  const part = await partOf(dag, query, shown, services)
  return part instanceof LogText ? part.map((tab) => ({ ...frame, ...tab })) : { ...frame, ...part }
}

async function partOf(
  dag: StoredDag,
  { tab, step }: Tab,
  run: RunRecord | undefined,
  services: ViewedServices,
): Promise<Record<string, unknown> | LogText<Record<string, unknown>>> {
  const { db, definitions, logs, view } = services
  const window = { tail: limits.logLinesMax }
  if (tab === 'history') {
    const page = { limit: limits.historyRunsMax }
    const { runs: history } = await readHistory(db, definitions, { dagName: dag.dagName }, page)
    return {
      LogData: {
        GridData: presentGrid(history).map(({ name, history: values }) => ({ Name: name, Vals: values })),
        Logs: history.map((state) => ({
          File: state.run.runId,
          Status: legacyKeys(presentRun(viewed(state, view), services)),
        })),
      },
    }
  }
  if ((tab !== 'log' && tab !== 'scheduler-log') || run === undefined) return {}
  if (tab === 'scheduler-log') {
    return shaped(await readLog(logs, runLogState(run, {}), window), (content) => ({
      ScLog: { LogFile: run.runId, Content: content },
    }))
  }
  if (step === undefined) throw badRequest('step: is required for the tab log')
  const found = await findStep(db, definitions, { run, stepName: step })
  return shaped(await readLog(logs, stepLogState(found, { stream: 'stdout' }), window), (content) => ({
    StepLog: { LogFile: run.runId, Step: step, Content: content },
  }))
}

type WithContent = { readonly content: string }

function shaped(
  log: WithContent | LogText<WithContent>,
  shape: (content: string) => Record<string, unknown>,
): Record<string, unknown> | LogText<Record<string, unknown>> {
  return log instanceof LogText ? log.map(({ content }) => shape(content)) : shape(log.content)
}
