import { randomBytes } from 'node:crypto'
import type { CreateRunRequest } from '#lib/runs/start/create-runs.ts'

/** A request for a run of a DAG without steps, started through the API, with `changes`. */
export function runRequest(changes: Partial<CreateRunRequest> = {}): CreateRunRequest {
  return {
    runId: randomBytes(9).toString('hex'),
    dagName: 'demo',
    fileName: 'demo',
    spec: 'steps: []',
    baseSpec: null,
    definitionHash: 'hash',
    document: null,
    params: null,
    trigger: 'api',
    queue: 'demo',
    maxActiveRuns: 1,
    priority: 0,
    labels: {},
    mode: 'start',
    singleton: false,
    parent: null,
    histRetentionDays: 30,
    histRetentionRuns: null,
    scheduledAt: null,
    scheduleKind: null,
    ...changes,
  }
}
