/**
 * Named places between two effects at which a process may die, hang or fail. Tests install what happens there. Without
 * a test, calling one does nothing, and bundles (local/bundle.ts) leave the calls out.
 */
export const failpoints = {
  'claim.asking': 'runs are about to be claimed',
  'claim.answered': 'runs are claimed, and nobody here knows yet',
  'renewal.asking': 'leases are about to be renewed',
  'renewal.answered': 'leases are renewed, and nobody here knows yet',
  'run.prepared': 'the inputs of a run are found out, and not stored',
  'record.durable': 'a state is durable, and what follows from it is not begun',
  'attempt.ready': 'the logs of an attempt are open, and its process is not started',
  'process.started': 'a process lives, and the warden does not know',
  'process.known': 'the warden knows it',
  'process.ended': 'a process has ended, and the warden does not know',
  'attempt.executed': 'the output of an attempt is not in the store yet',
  'attempt.written': 'the output is in the store, and the end is not recorded',
  'run.ending': 'all steps are recorded, and the log of the run is not in the store',
  'run.written': 'it is, and the end is not recorded',
  'run.ended': 'the end of the run is recorded',
  'journal.writing': 'a batch is about to be recorded',
  'journal.written': 'it is recorded, and nobody here knows yet',
  'child.creating': 'a child run is about to be made',
  'child.created': 'it is made, and the parent does not know',
  'log.appending': 'a chunk of a log is about to be stored',
  'log.appended': 'it is stored, and nobody here knows yet',
  'tick.taken-over': 'runs of lost runners are claimable',
  'tick.stopped': 'runs without a runner are ended that were to stop',
  'schedule.due': 'schedules are due, and nothing is done about it',
  'schedule.moved-on': 'scheduled runs are made and their schedule is moved on, and nobody here knows yet',
  'tick.promoted': 'queued runs are claimable',
  'tick.removed': 'runs are removed, and files of their logs are not',
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
