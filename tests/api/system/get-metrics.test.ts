import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { controlQueue } from '#lib/queues/control-queue.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()

describe('200', () => {
  test('every documented metric has the right value', async () => {
    await api.createDag('counted')
    await api.finish(await api.start('counted'), 'success')
    await api.finish(await api.start('counted'), 'failed')
    await api.start('counted')
    const answer = await api.get('/metrics')
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.body).toContain('# TYPE millrace_info gauge')
    expect(answer.body).toMatch(
      /millrace_info\{version="0\.0\.0-test",build_date="[^"]+",node_version="v\d+[^"]*"\} 1/,
    )
    expect(answer.body).toMatch(/millrace_uptime_seconds \d/)
    expect(answer.body).toMatch(/millrace_dag_runs_currently_running 0/)
    expect(answer.body).toMatch(/millrace_dag_runs_queued_total 0/)
    expect(answer.body).toMatch(/millrace_dags_total 1/)
    expect(answer.body).toMatch(/millrace_scheduler_running [01]/)
    expect(answer.body).toContain('millrace_invariant_violations 0')
    expect(answer.body).toContain('millrace_runners 0')
    expect(answer.body).toMatch(/millrace_oldest_ready_seconds [\d.e-]+\n/)
    expect(answer.body).toContain('# TYPE millrace_dag_runs_total counter')
    expect(answer.body).toContain('millrace_dag_runs_total{status="success"} 1')
    expect(answer.body).toContain('millrace_dag_runs_total{status="error"} 1')
    expect(answer.body).toContain('millrace_dag_runs_total{status="cancelled"} 0')
  })

  test('each DAG has metrics with its file name as a label', async () => {
    const { body } = await api.get<string>('/metrics')
    expect(body).toContain('# TYPE millrace_dag_runs_total_by_dag counter')
    for (const [status, count] of Object.entries({ success: 1, error: 1, cancelled: 0 })) {
      expect(body).toContain(`millrace_dag_runs_total_by_dag{dag="counted",status="${status}"} ${count}\n`)
    }
    const [, at = '0'] =
      /^millrace_dag_last_success_timestamp_seconds\{dag="counted"\} (\S+)$/m.exec(body) ?? []
    expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(60)
    expect(body).toMatch(/^millrace_dag_last_duration_seconds\{dag="counted"\} [\d.e-]+$/m)
    expect(body).toContain('millrace_dags_without_metrics 0\n')
  })

  test('a counter never falls when runs are removed or retried', async () => {
    const run = await api.start('counted')
    await api.finish(run, 'failed')
    expect((await api.get('/metrics')).body).toContain('millrace_dag_runs_total{status="error"} 2\n')
    await api.post(`/dag-runs/counted/${run}/retry`, {})
    await api.finish(run, 'success')
    await api.database.db.sql`delete from millrace.dag_run`
    const { body } = await api.get<string>('/metrics')
    expect(body).toContain('millrace_dag_runs_total{status="error"} 2\n')
    expect(body).toContain('millrace_dag_runs_total{status="success"} 2\n')
    await api.call('DELETE', '/dags/counted')
    expect((await api.get('/metrics')).body).not.toContain('dag="counted"')
    await api.createDag('counted')
  })

  test('live runners are counted, and the longest wait of a run for a runner is measured', async () => {
    const { db } = api.database
    await api.start('counted')
    await api.heartbeat({})
    await db.sql`update millrace.dag_run set ready_at = now() - interval '5 minutes' where ready_at is not null`
    const { body } = await api.get('/metrics')
    expect(body).toContain('millrace_runners 1')
    await db.sql`update millrace.worker set heartbeat_at = heartbeat_at - interval '20 seconds'`
    expect((await api.get('/metrics')).body).toContain('millrace_runners 0')
    expect(body).toMatch(/millrace_oldest_ready_seconds 30\d\.?\d*\n/)
  })

  test('a paused queue is reported, and the waits of its runs do not count', async () => {
    const { db } = api.database
    const labelled = async () => (await api.get<string>('/metrics')).body
    for (let run = 0; run < 2; run++) await api.enqueue('counted')
    await db.sql`update millrace.dag_run set queued_at = now() - interval '5 minutes' where status = 'queued'`
    expect(await labelled()).toMatch(/millrace_oldest_queued_seconds 30\d\.?\d*\n/)
    await controlQueue(db, 'counted', { paused: true, by: '' })
    expect(await labelled()).toContain('millrace_queue_paused{queue="counted"} 1\n')
    expect(await labelled()).toContain('millrace_oldest_queued_seconds 0\n')
    await controlQueue(db, 'counted', { paused: false, by: '' })
    expect(await labelled()).not.toContain('queue="counted"')
    await controlQueue(db, 'counted', { limit: 1, by: '' })
    expect(await labelled()).toContain('millrace_queue_paused{queue="counted"} 0\n')
  })
})

describe('the dashboard and the alert rules', () => {
  const infra = new URL('../../../infra/', import.meta.url)
  const dashboard = readFileSync(new URL('grafana/dashboard.json', infra), 'utf8')
  const alerts = readFileSync(new URL('prometheus/alerts.yaml', infra), 'utf8')

  test('use only exported metrics', async () => {
    const exported = await metricNames()
    expect(unknownMetrics(dashboard, exported)).toEqual([])
    expect(unknownMetrics(alerts, exported)).toEqual([])
    expect(unknownMetrics('max(millrace_dreams) > 1', exported)).toEqual(['millrace_dreams'])
  })

  test('show every metric', async () => {
    const missing = [...(await metricNames())].filter((name) => !dashboard.includes(name))
    expect(missing).toEqual([])
  })

  test('have the form that Grafana and Prometheus read', () => {
    const { panels } = JSON.parse(dashboard) as { panels: { id: number; targets: { expr: string }[] }[] }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(panels.every(({ targets }) => targets.every(({ expr }) => expr !== ''))).toBe(true)
    const { groups } = parse(alerts) as { groups: { rules: Record<string, unknown>[] }[] }
    for (const { rules } of groups) {
      for (const rule of rules) {
        expect(rule).toMatchObject({
          alert: expect.stringMatching(/^Millrace[A-Za-z]+$/) as string,
          expr: expect.any(String) as string,
          labels: { severity: expect.stringMatching(/^(critical|warning)$/) as string },
          annotations: { summary: expect.any(String) as string },
        })
      }
    }
  })

  async function metricNames(): Promise<Set<string>> {
    const { body } = await api.get<string>('/metrics')
    return new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name))
  }

  function unknownMetrics(text: string, known: ReadonlySet<string>): string[] {
    return (text.match(/\bmillrace_\w+/g) ?? []).filter((name) => !known.has(name))
  }
})
