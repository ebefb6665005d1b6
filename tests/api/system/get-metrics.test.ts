import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()

describe('200', () => {
  test('every metric of the document is there, and counts what there is', async () => {
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
    expect(answer.body).toContain('# TYPE millrace_dag_runs_total counter')
    expect(answer.body).toContain('millrace_dag_runs_total{status="success"} 1')
    expect(answer.body).toContain('millrace_dag_runs_total{status="error"} 1')
    expect(answer.body).toContain('millrace_dag_runs_total{status="cancelled"} 0')
  })
})
