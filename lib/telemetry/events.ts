/**
 * All events of the service log, with their meaning. Only `event`, one of these names, is a stable part of a line.
 * Names are `noun.past-verb`.
 */
export const events = {
  'service.started': 'a part of the service is ready',
  'setting.ignored': 'a variable is not a setting, or settings contradict each other',
  'setting.applied':
    'a setting that all parts share is new, or differs from what another process had applied',
  'setting.exposed': 'a process shows a secret setting to every process of its user, so to steps',
  'request.answered': 'the API answered a call',
  'request.failed': 'a call failed because of a bug in the service',
  'login.failed': 'a credential was refused; once per name, address and five minutes',
  'audit.lost': 'an audit entry could not be stored',
  'dag.loaded': 'a DAG file was read from a folder and stored',
  'dag.rejected': 'a DAG file has errors and was not stored',
  'dag.removed': 'a DAG was removed, because its file in the folder of DAGs is gone',
  'dag.unread': 'the folder of DAG files cannot be read or stored; it will be read again',
  'schedule.fired': 'a scheduled time started, stopped or restarted a run',
  'schedule.passed-over': 'a scheduled time was due, but a rule prevented the run',
  'schedule.failed': 'a scheduled time was due, but its DAG cannot be started',
  'log.dropped': 'lines of the service log were dropped, because its reader did not read them',
  'log.kept-back': 'a bucket did not store a part of a log, which stays in Postgres, or did not delete one',
  'mail.failed': 'a mail about a run or a step could not be sent',
  'queue.promoted': 'queued runs became claimable',
  'run.taken-over': 'runs with an expired lease became claimable again',
  'log.refused': 'the output of a run cannot be stored (full disk, database unreachable), and the run waits',
  'run.left-behind': 'something created for a run, or its working folder, could not be removed',
  'run.removed': 'runs past their retention were removed',
  'folder.removed': 'working folders of DAGs that are gone, with all their runs, were removed',
  'run.stopped': 'stopped runs without a runner became claimable, so that a runner ends them',
  'run.claimed': 'a runner claimed a run',
  'run.finished': 'a run ended',
  'run.refused': 'a run could not be prepared, and ended without executing steps',
  'run.released': 'a runner gave a run back unfinished',
  'run.lease-lost': 'a runner lost the lease of a run, and killed what it had started for it',
  'runner.ended': 'the runner of the local server ended, and is restarted',
  'runner.draining': 'a runner stopped claiming, and gives its runs back',
  'runner.lost-leases': 'a runner could not renew its leases in time, and killed what it had started',
  'runner.cut-off': 'a runner cannot reach the database, and tries again',
  'runner.alone': 'a runner without DATABASE_URL made or started a PostgreSQL that no service uses',
  'runner.claim-unheard': 'the answer to a claim was lost, and the runner gives its runs back',
  'trace.delayed': 'spans could not be sent to the collector, and are kept for the next attempt',
  'trace.lost': 'spans were dropped',
  'tick.failed': 'a tick failed; the next one tries again',
} as const

export type EventName = keyof typeof events
