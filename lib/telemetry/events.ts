/**
 * Every event of the service log, with its meaning. The `event` of a line is one of these names; nothing else in a line
 * is a contract. Names are `noun.past-verb`.
 */
export const events = {
  'service.started': 'a part of the service is ready',
  'setting.ignored': 'a variable looks like a setting and is none',
  'request.answered': 'the API answered a call',
  'request.failed': 'a call failed by a fault of ours',
  'audit.lost': 'who made a change could not be written down',
  'dag.loaded': 'a DAG file was read from a folder and stored',
  'dag.rejected': 'a DAG file has faults and was not stored',
  'schedule.fired': 'a scheduled instant made a run, or stopped or restarted one',
  'schedule.passed-over': 'a scheduled instant was due and a rule held it back',
  'schedule.failed': 'a scheduled instant was due, and its DAG cannot be started',
  'log.kept-back': 'a bucket has not taken a part of a log, which stays in Postgres, or has not removed one',
  'mail.failed': 'a mail about a run or a step could not be sent',
  'queue.promoted': 'queued runs became claimable',
  'run.taken-over': 'runs of runners that gave no sign of life became claimable again',
  'log.refused':
    'the output of a run cannot be stored, and the run waits: a full disk, a database that is away',
  'run.left-behind': 'something that was kept for a run could not be removed',
  'run.removed': 'runs that need not be kept any longer were removed',
  'run.stopped': 'runs that were to stop and had no runner were ended',
  'run.claimed': 'a runner took a run',
  'run.finished': 'a run ended',
  'run.refused': 'a run could not be begun and ended without its steps',
  'run.released': 'a runner gave a run back unfinished',
  'run.lease-lost': 'a runner lost its right to a run and killed what it had started for it',
  'runner.ended': 'the runner beside the local server ended and is started again',
  'runner.draining': 'a runner begins nothing more and gives its runs back',
  'runner.lost-leases': 'a runner could not renew in time and killed what it had started',
  'runner.cut-off': 'a runner cannot reach the database and tries again',
  'runner.claim-unheard': 'the answer to a claim was lost, and the runner gives the runs back',
  'trace.delayed': 'spans could not be sent to the collector and are kept for the next time',
  'trace.lost': 'spans were dropped',
  'tick.failed': 'a pass over what is due failed; the next one tries again',
} as const

export type EventName = keyof typeof events
