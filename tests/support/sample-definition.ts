import type {
  Condition,
  ContinueOn,
  Definition,
  RepeatPolicy,
  RetryPolicy,
  Step,
} from '#lib/definition/definition.ts'

const noContinueOn: ContinueOn = {
  failure: false,
  skipped: false,
  exitCodes: [],
  output: [],
  markSuccess: false,
}

type StepSettings = Partial<Omit<Step, 'name' | 'continueOn'>> & {
  readonly continueOn?: Partial<ContinueOn>
}

/** A step as the definition reader returns it, with every default. */
export function sampleStep(name: string, settings: StepSettings = {}): Step {
  const { continueOn, ...rest } = settings
  return {
    name,
    id: undefined,
    description: '',
    dependsOn: [],
    executor: { type: 'shell', config: {} },
    commands: ['true'],
    script: undefined,
    shell: undefined,
    workingDir: undefined,
    env: [],
    preconditions: [],
    continueOn: { ...noContinueOn, ...continueOn },
    retryPolicy: undefined,
    repeatPolicy: undefined,
    output: undefined,
    stdout: undefined,
    stderr: undefined,
    logOutput: undefined,
    signalOnStop: 'SIGTERM',
    timeoutSec: 0,
    mailOnError: false,
    child: undefined,
    workerSelector: {},
    ...rest,
  }
}

/** A DAG as the definition reader returns it. */
export function sampleDag(steps: readonly Step[], settings: Partial<Definition> = {}): Definition {
  return {
    name: 'sample',
    group: '',
    description: '',
    type: 'graph',
    schedule: { start: [], stop: [], restart: [] },
    skipIfSuccessful: false,
    catchUp: { policy: 'none', windowSec: 86_400 },
    overlapPolicy: 'skip',
    params: [],
    paramsSchema: undefined,
    env: [],
    dotenv: [],
    secrets: [],
    shell: undefined,
    workingDir: undefined,
    steps,
    handlers: {},
    preconditions: [],
    maxActiveRuns: 1,
    maxActiveSteps: 0,
    delaySec: 0,
    timeoutSec: 0,
    restartWaitSec: 0,
    maxCleanUpTimeSec: 5,
    histRetentionDays: 30,
    histRetentionRuns: undefined,
    maxOutputSize: 1_048_576,
    logDir: undefined,
    logOutput: 'separate',
    queue: undefined,
    tags: [],
    workerSelector: {},
    smtp: undefined,
    mailOn: { failure: false, success: false },
    errorMail: undefined,
    infoMail: undefined,
    container: undefined,
    registryAuths: {},
    ssh: undefined,
    runConfig: { disableParamEdit: false, disableRunIdEdit: false },
    ...settings,
  }
}

/** A chain: each step depends on the one before it, unless it has dependencies of its own. */
export function sampleChain(steps: readonly Step[], settings: Partial<Definition> = {}): Definition {
  const chained = steps.map((step, index) => {
    const before = steps[index - 1]
    return before === undefined || step.dependsOn.length > 0 ? step : { ...step, dependsOn: [before.name] }
  })
  return sampleDag(chained, settings)
}

export const sampleCondition: Condition = { condition: 'true', expected: undefined, negate: false }

export function sampleRetry(settings: Partial<RetryPolicy> = {}): RetryPolicy {
  return { limit: 1, intervalSec: 0, exitCodes: [], backoff: 1, maxIntervalSec: undefined, ...settings }
}

export function sampleRepeat(settings: Partial<RepeatPolicy> = {}): RepeatPolicy {
  return {
    mode: 'always',
    intervalSec: 0,
    limit: undefined,
    condition: undefined,
    exitCodes: [],
    backoff: 1,
    maxIntervalSec: undefined,
    ...settings,
  }
}

/** The settings of a step that runs another DAG. */
export const sampleChild: Partial<Step> = {
  child: { dag: 'helper', params: undefined, parallel: undefined },
  executor: { type: 'dag', config: {} },
}
