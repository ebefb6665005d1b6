import { Counter, Gauge, type Registry } from 'prom-client'
import type { CountsByDag } from '#lib/runs/counts/count-by-dag.ts'

/** Adds the metrics of each DAG, labelled with its file name. @returns what sets them */
export function dagMetrics(registers: Registry[]): (counts: CountsByDag) => void {
  const about = { labelNames: ['dag'], registers }
  const runs = new Counter({
    name: 'millrace_dag_runs_total_by_dag',
    help: 'Finished runs of a DAG by result; a retried run counts again',
    labelNames: ['dag', 'status'],
    registers,
  })
  const lastSuccess = new Gauge({
    ...about,
    name: 'millrace_dag_last_success_timestamp_seconds',
    help: 'When a run of a DAG last succeeded; 0: never since counting began',
  })
  const lastDuration = new Gauge({
    ...about,
    name: 'millrace_dag_last_duration_seconds',
    help: 'How long the last run of a DAG took',
  })
  const omitted = new Gauge({
    name: 'millrace_dags_without_metrics',
    help: 'DAGs with finished runs that have no metrics of their own, because there are too many',
    registers,
  })
  return ({ dags, omitted: count }) => {
    for (const metric of [runs, lastSuccess, lastDuration]) metric.reset()
    for (const dag of dags) {
      const { fileName, lastDurationSeconds } = dag
      runs.inc({ dag: fileName, status: 'success' }, dag.succeeded)
      runs.inc({ dag: fileName, status: 'error' }, dag.failed)
      runs.inc({ dag: fileName, status: 'cancelled' }, dag.cancelled)
      lastSuccess.set({ dag: fileName }, dag.lastSuccessAt)
      if (lastDurationSeconds !== undefined) lastDuration.set({ dag: fileName }, lastDurationSeconds)
    }
    omitted.set(count)
  }
}
