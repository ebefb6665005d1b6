/**
 * Named places between two effects at which a process may die, hang or fail. Tests install what happens there. Without
 * a test, calling one does nothing, and bundles (local/bundle.ts) leave the calls out.
 */
export const failpoints = {
  'claim.asking': 'runs are about to be claimed',
  'claim.answered': 'runs are claimed, but the runner has not processed the answer',
  'renewal.asking': 'leases are about to be renewed',
  'renewal.answered': 'leases are renewed, but the runner has not processed the answer',
  'run.prepared': 'the inputs of a run are evaluated, but not stored',
  'record.durable': 'a state is durable, but its effects have not begun',
  'attempt.ready': 'the logs of an attempt are open, but its process is not started',
  'process.started': 'a process was started, but not reported to the warden',
  'process.known': 'a process was reported to the warden',
  'process.ended': 'a process has ended, but that was not reported to the warden',
  'attempt.executed': 'an attempt has ended, but its output is not in the log store',
  'attempt.written': 'the output of an attempt is in the log store, but its end is not recorded',
  'run.ending': 'all steps are recorded, but the log of the run is not in the log store',
  'run.written': 'the log of the run is in the log store, but the end of the run is not recorded',
  'run.ended': 'the end of the run is recorded',
  'journal.writing': 'a batch is about to be recorded',
  'journal.written': 'a batch is recorded, but the runner has not processed the answer',
  'child.creating': 'a child run is about to be created',
  'child.created': 'a child run is created, but its parent does not know',
  'log.appending': 'a chunk of a log is about to be stored',
  'log.appended': 'a chunk is stored, but the writer has not processed the answer',
  'tick.taken-over': 'runs of lost runners are claimable',
  'tick.stopped': 'stopped runs without a runner are claimable',
  'schedule.due': 'schedules are due, but nothing was done about them',
  'schedule.moved-on':
    'scheduled runs are created and the schedule entry is advanced, but the tick has not processed the answer',
  'tick.promoted': 'queued runs are claimable',
  'tick.removed': 'runs are removed, but the files of their logs are not',
} as const

export type Failpoint = keyof typeof failpoints

let act: (name: Failpoint) => void = () => undefined

/** Marks a place between two effects. */
export function failpoint(name: Failpoint): void {
  act(name)
}

/** Installs what happens at failpoints from now on: nothing, a thrown error, a process that ends or hangs. */
export function atFailpoints(what: (name: Failpoint) => void): void {
  act = what
}
