/** Addresses below `/docs/` that explain what people meet. A test holds them to the pages. */

/** Why a run waits, or why it ended, by the rule that says so. */
export const whyHelp: Readonly<Record<string, string>> = {
  queue_full: 'troubleshooting.html#the-queue-is-full',
  queue_paused: 'troubleshooting.html#the-queue-is-paused',
  runners_draining: 'troubleshooting.html#the-runners-drain',
  no_runner: 'troubleshooting.html#no-runner-takes-it',
  runners_busy: 'troubleshooting.html#all-runners-are-busy',
  not_yet: 'troubleshooting.html#it-starts-later',
  waiting_for_retry: 'troubleshooting.html#it-starts-later',
  waiting_for_child: 'troubleshooting.html#a-step-waits-for-child-runs',
  stopping: 'troubleshooting.html#it-is-being-stopped',
  precondition_unmet: 'troubleshooting.html#a-precondition-was-not-met',
  step_failed: 'troubleshooting.html#a-step-fails',
}

/** What a check of `millrace doctor` is about, by its name. */
export const doctorHelp: Readonly<Record<string, string>> = {
  settings: 'settings.html',
  'container engine': 'executors.html#docker',
  steps: 'settings.html#what-a-step-can-read',
  shell: 'settings.html',
  spawn: 'architecture.html#the-parts',
  database: 'runbooks.html#postgres-is-away',
  clock: 'troubleshooting.html#clocks-differ',
  pooler: 'deploying.html#numbers-to-set',
  LISTEN: 'deploying.html#numbers-to-set',
  migrations: 'upgrading.html#upgrade-a-service-at-work',
  'shared settings': 'settings.html#what-all-parts-share',
  'DAG folder': 'settings.html#where-dags-and-logs-are-kept',
  'log store': 'settings.html#where-dags-and-logs-are-kept',
  tick: 'runbooks.html#millraceschedulersilent',
  runners: 'runbooks.html#millracenorunner',
  invariants: 'runbooks.html#millraceinvariantbroken',
}

/** States of the page that need more words than they have room for. */
export const pageHelp = {
  failedStep: 'troubleshooting.html#a-step-fails',
  offline: 'troubleshooting.html#the-page-says-offline-or-asks-to-sign-in',
  forbidden: 'users.html',
  firstDag: 'tutorial.html',
  firstRun: 'concepts.html#dag-run-step',
  neverRan: 'troubleshooting.html#a-schedule-does-not-fire',
  signIn: 'users.html#sessions',
  start: 'index.html',
} as const
