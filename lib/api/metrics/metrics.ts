import { Counter, Gauge, Registry } from 'prom-client'
import { standardOutput } from '#lib/telemetry/line-writer.ts'
import type { QueueMeasures } from '#lib/queues/measure-queues.ts'
import type { CountsByDag } from '#lib/runs/counts/count-by-dag.ts'
import type { RunCounts } from '#lib/runs/counts/count-state.ts'
import { dagMetrics } from './dag-metrics.ts'
import { queueMetrics } from './queue-metrics.ts'

export interface Metrics {
  /** Renders the Prometheus text format. */
  render(
    counts: RunCounts & QueueMeasures & { readonly uptimeSeconds: number },
    byDag: CountsByDag,
  ): Promise<string>
  /** Counts a refused credential: a wrong one, or one that was not looked at after too many wrong ones. */
  countLoginFailure(kind: 'password' | 'key', reason: 'wrong' | 'limited'): void
}

/** Uses a registry of its own, because everything in the process shares the default one of the package. */
export function createMetrics(about: { version: string; buildDate: string }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: `millrace_${name}`, help, registers })
  tellVersion(about, registers)
  const uptime = gauge('uptime_seconds', 'Seconds since this process started')
  const running = gauge('dag_runs_currently_running', 'Runs that are running')
  const queued = gauge('dag_runs_queued_total', 'Runs that wait in a queue')
  const dags = gauge('dags_total', 'DAGs')
  const faultyFiles = gauge(
    'dag_file_faults',
    'Files in the folder of DAGs that have errors and are not stored',
  )
  const scheduler = gauge('scheduler_running', '1 while a scheduler ticks')
  const runners = gauge('runners', 'Live runners that claim runs')
  const oldestReady = gauge(
    'oldest_ready_seconds',
    'Waiting time of the oldest run that a runner could claim',
  )
  const violations = gauge('invariant_violations', 'Broken invariants among the newest runs; always 0')
  const runs = new Counter({
    name: 'millrace_dag_runs_total',
    help: 'Finished runs by result; a retried run counts again',
    labelNames: ['status'],
    registers,
  })
  const showDropped = droppedLines(registers)
  const loginFailures = new Counter({
    name: 'millrace_login_failures_total',
    help: 'Credentials that this process refused',
    labelNames: ['kind', 'reason'],
    registers,
  })
  const showQueues = queueMetrics(registers)
  const showDags = dagMetrics(registers)
  return {
    countLoginFailure: (kind, reason) => loginFailures.inc({ kind, reason }),
    async render(counts, byDag) {
      uptime.set(counts.uptimeSeconds)
      running.set(counts.running)
      queued.set(counts.queued)
      dags.set(counts.dags)
      faultyFiles.set(counts.faultyFiles)
      runners.set(counts.runners)
      oldestReady.set(counts.oldestReadySeconds)
      scheduler.set(counts.schedulerRunning ? 1 : 0)
      violations.set(counts.violations)
      showDropped()
      runs.reset()
      runs.inc({ status: 'success' }, counts.succeeded)
      runs.inc({ status: 'error' }, counts.failed)
      runs.inc({ status: 'cancelled' }, counts.cancelled)
      showQueues(counts)
      showDags(byDag)
      return registry.metrics()
    },
  }
}

function tellVersion(about: { version: string; buildDate: string }, registers: Registry[]): void {
  const info = new Gauge({
    name: 'millrace_info',
    help: 'Version of the service',
    labelNames: ['version', 'build_date', 'node_version'],
    registers,
  })
  info.set({ version: about.version, build_date: about.buildDate, node_version: process.version }, 1)
}

function droppedLines(registers: Registry[]): () => void {
  const dropped = new Counter({
    name: 'millrace_log_lines_dropped_total',
    help: 'Lines of the log of this process that were dropped, because its reader did not read them',
    registers,
  })
  return () => {
    dropped.reset()
    dropped.inc(standardOutput.dropped)
  }
}
