import * as v from 'valibot'
import { Container } from './container.ts'
import { MailOn, MailTemplate, Smtp } from './mail.ts'
import { Conditions, DagRetryPolicy, Params } from './policies.ts'
import { Step, Steps } from './step.ts'
import { Ssh } from './ssh.ts'
import {
  count,
  duration,
  environment,
  fields,
  flag,
  integer,
  mapOf,
  scalar,
  text,
  textMap,
  textOrList,
} from './words.ts'

const models = 'this service calls no language models'
const humans = 'this service waits for no approvals'

const crons = v.union([text, v.array(text)], 'a schedule of five fields, or a list of them')

const Schedule = v.union(
  [
    text,
    v.array(text),
    fields('a schedule', { start: v.optional(crons), stop: v.optional(crons), restart: v.optional(crons) }),
  ],
  'a schedule of five fields, a list of them, or a map of start, stop and restart',
)

const Handlers = fields(
  'handlerOn',
  {
    init: v.optional(Step),
    success: v.optional(Step),
    failure: v.optional(Step),
    cancel: v.optional(Step),
    abort: v.optional(Step),
    exit: v.optional(Step),
  },
  { notOffered: { wait: humans } },
)

const Secret = fields('a secret', {
  name: text,
  provider: v.picklist(['env', 'file'], 'env or file (other providers are not offered)'),
  key: text,
  options: v.optional(mapOf(v.any(), 'a map')),
})

const RegistryAuth = fields('a registry', {
  username: v.optional(text),
  password: v.optional(text),
  auth: v.optional(text),
})

/** A document of a DAG file, and the base configuration. */
export const Dag = fields(
  'a DAG',
  {
    name: v.optional(text),
    group: v.optional(text),
    description: v.optional(text),
    type: v.optional(v.picklist(['chain', 'graph'], 'chain or graph')),
    schedule: v.optional(Schedule),
    skipIfSuccessful: v.optional(flag),
    catchup: v.optional(
      v.union([v.picklist(['none', 'last', 'all']), flag], 'none, last or all (true is all, false is none)'),
    ),
    catchupWindow: v.optional(duration),
    overlapPolicy: v.optional(v.picklist(['skip', 'all', 'latest'], 'skip, all or latest')),
    params: v.optional(Params),
    env: v.optional(environment),
    dotenv: v.optional(textOrList),
    secrets: v.optional(v.array(Secret, 'a list of secrets')),
    shell: v.optional(textOrList),
    workingDir: v.optional(text),
    steps: v.optional(Steps),
    handlerOn: v.optional(Handlers),
    preconditions: v.optional(Conditions),
    precondition: v.optional(Conditions),
    maxActiveRuns: v.optional(integer),
    maxActiveSteps: v.optional(count),
    delaySec: v.optional(count),
    timeoutSec: v.optional(count),
    restartWaitSec: v.optional(count),
    maxCleanUpTimeSec: v.optional(count),
    histRetentionDays: v.optional(integer),
    histRetentionRuns: v.optional(v.pipe(count, v.minValue(1, 'at least 1'))),
    logDir: v.optional(text),
    logOutput: v.optional(v.picklist(['separate', 'merged'], 'separate or merged')),
    maxOutputSize: v.optional(count),
    queue: v.optional(text),
    tags: v.optional(v.union([text, v.array(scalar)], 'a list of texts, or one text with commas')),
    smtp: v.optional(Smtp),
    mailOn: v.optional(MailOn),
    errorMail: v.optional(MailTemplate),
    infoMail: v.optional(MailTemplate),
    container: v.optional(Container),
    registryAuths: v.optional(
      v.union(
        [text, mapOf(v.union([text, RegistryAuth], 'a map of username and password'), 'a map')],
        'a map from registries to username and password',
      ),
    ),
    ssh: v.optional(Ssh),
    otel: v.optional(mapOf(v.any(), 'a map of settings')),
    retryPolicy: v.optional(DagRetryPolicy),
    runConfig: v.optional(
      fields('runConfig', { disableParamEdit: v.optional(flag), disableRunIdEdit: v.optional(flag) }),
    ),
    workerSelector: v.optional(textMap),
  },
  {
    older: {
      dir: 'workingDir',
      delay: 'delaySec',
      timeout: 'timeoutSec',
      restartWait: 'restartWaitSec',
      maxCleanUpTime: 'maxCleanUpTimeSec',
    },
    notOffered: {
      llm: models,
      waitMail: humans,
      functions: 'call a command or another DAG',
      artifacts: '',
      defaults: 'give each step its own fields, or use YAML anchors',
      webhook: '',
      labels: 'write tags',
      stepTypes: '',
      redis: '',
      s3: '',
      harness: '',
      kubernetes: '',
    },
  },
)
