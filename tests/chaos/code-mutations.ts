/** One fault planted in the code: a piece of a file, its replacement, and the tests of which one must fail. */
export interface CodeMutation {
  readonly fault: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly tests: readonly string[]
}

/** Plausible mistakes in the code that executes runs; the tests must catch each. */
export const codeMutations: readonly CodeMutation[] = [
  {
    fault: 'an entry of an older claim is merged into a newer one',
    file: 'lib/runner/journal/journal.ts',
    from: 'if (this.#pending.get(item.runKey)?.item.token !== item.token) this.forget(item.runKey)',
    to: '',
    tests: ['tests/unit/runner/journal/journal.test.ts'],
  },
  {
    fault: 'a run is finished before its log is stored',
    file: 'lib/runner/session/run-driver.ts',
    from: "failpoint('run.ending')\n    await effects.flush()",
    to: "failpoint('run.ending')\n    void effects.flush()",
    tests: ['tests/unit/runner/session/run-driver.test.ts', 'tests/e2e/runner-steps.test.ts'],
  },
  {
    fault: 'an attempt ends before its output is stored',
    file: 'lib/runner/steps/run-attempt.ts',
    from: 'const written = await output?.end()',
    to: 'void output?.end()\n  const written = await Promise.resolve()',
    tests: ['tests/e2e/runner-steps.test.ts'],
  },
  {
    fault: 'the start of a step is recorded after its process starts',
    file: 'lib/runner/session/run-driver.ts',
    from: 'await this.#durable\n',
    to: 'await undefined\n',
    tests: ['tests/unit/runner/session/run-driver.test.ts'],
  },
  {
    fault: 'the warden is not told of a process group',
    file: 'lib/executors/shell/run-process.ts',
    from: 'context.onProcessGroup({ pgid, alive: true })',
    to: '',
    tests: ['tests/chaos/orphans.test.ts'],
  },
  {
    fault: 'a process is started without checking the lease',
    file: 'lib/runner/steps/run-attempt.ts',
    from: 'await attempt.leaseValid()',
    to: '',
    tests: ['tests/e2e/lost-run.test.ts'],
  },
  {
    fault: 'a runner does not forget a run that it has lost',
    file: 'lib/runner/fencing/lease-loop.ts',
    from: 'if (lost.has(session.run.runKey)) session.lose()',
    to: 'if (lost.has(session.run.runKey)) continue',
    tests: ['tests/e2e/lost-run.test.ts'],
  },
  {
    fault: 'a claim is released while its response is on the way',
    file: 'lib/runner/fencing/lease-loop.ts',
    from: 'if (!claimLoop.isActing) await',
    to: 'await',
    tests: ['tests/e2e/unheard-claim.test.ts'],
  },
  {
    fault: 'instants missed during a suspension are caught up',
    file: 'lib/schedules/plan-firings.ts',
    from: 'if (!suspended && resumedMs !== null && dueMs <= resumedMs)',
    to: 'if (!suspended && resumedMs !== null && dueMs > nowMs)',
    tests: ['tests/db/schedules.test.ts'],
  },
  {
    fault: 'the certificate of an address is checked against another name',
    file: 'lib/db/connection.ts',
    from: '{ ...settings.ssl, host }',
    to: 'settings.ssl',
    tests: ['tests/db/tls.test.ts'],
  },
  {
    fault: 'a broken connection is reused',
    file: 'lib/db/connection.ts',
    from: 'if (!isOrdinary(error)) this.close()',
    to: '',
    tests: ['tests/db/connection-faults.test.ts'],
  },
  {
    fault: 'the part of a chunk that a full disk accepted is written twice',
    file: 'lib/logs/file-log-store.ts',
    from: 'bytes.subarray(torn)',
    to: 'bytes',
    tests: ['tests/unit/logs/file-log-store.test.ts', 'tests/e2e/full-disk.test.ts'],
  },
]
