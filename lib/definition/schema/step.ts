import * as v from 'valibot'
import { executorTypes } from '#lib/definition/definition.ts'
import { Container } from './container.ts'
import { Conditions, ContinueOn, Output, Parallel, Params, RepeatPolicy, RetryPolicy } from './policies.ts'
import { count, environment, fields, flag, mapOf, scalar, text, textMap, textOrList } from './words.ts'

/** Editors offer the examples; other spellings of a type are accepted, too. */
const executorType = v.pipe(text, v.examples([...executorTypes]))

const models = 'this service calls no language models'
const humans = 'this service waits for no approvals'

/** Validated by the executor of the step; see executor-config. */
const ExecutorConfig = mapOf(v.any(), 'a map of settings')

export const signals = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGQUIT',
  'SIGKILL',
  'SIGUSR1',
  'SIGUSR2',
  'SIGABRT',
  'SIGALRM',
  'SIGBUS',
  'SIGCHLD',
  'SIGCONT',
  'SIGFPE',
  'SIGILL',
  'SIGIO',
  'SIGPIPE',
  'SIGPROF',
  'SIGSEGV',
  'SIGSTOP',
  'SIGSYS',
  'SIGTRAP',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGURG',
  'SIGVTALRM',
  'SIGWINCH',
  'SIGXCPU',
  'SIGXFSZ',
] as const

export const Step = fields(
  'a step',
  {
    name: v.optional(text),
    id: v.optional(text),
    description: v.optional(text),
    command: v.optional(
      v.union(
        [text, v.array(scalar)],
        'a command, or a list of commands (in quotes, if one looks like a number, true or false)',
      ),
    ),
    script: v.optional(text),
    shell: v.optional(textOrList),
    workingDir: v.optional(text),
    env: v.optional(environment),
    depends: v.optional(v.union([text, v.array(text)], 'the name of a step, or a list of names')),
    type: v.optional(executorType),
    config: v.optional(ExecutorConfig),
    executor: v.optional(
      v.union(
        [
          executorType,
          fields('an executor', { type: v.optional(executorType), config: v.optional(ExecutorConfig) }),
        ],
        'a type of executor, or a map of type and config',
      ),
    ),
    call: v.optional(text),
    params: v.optional(Params),
    parallel: v.optional(Parallel),
    container: v.optional(Container),
    output: v.optional(Output),
    stdout: v.optional(text),
    stderr: v.optional(text),
    logOutput: v.optional(v.picklist(['separate', 'merged'], 'separate or merged')),
    continueOn: v.optional(ContinueOn),
    retryPolicy: v.optional(RetryPolicy),
    repeatPolicy: v.optional(RepeatPolicy),
    preconditions: v.optional(Conditions),
    precondition: v.optional(Conditions),
    signalOnStop: v.optional(v.picklist(signals, 'the name of a signal such as SIGTERM or SIGINT')),
    timeoutSec: v.optional(count),
    mailOnError: v.optional(flag),
    workerSelector: v.optional(textMap),
  },
  {
    older: { dir: 'workingDir', run: 'call', timeout: 'timeoutSec', dependsOn: 'depends' },
    notOffered: {
      llm: models,
      messages: models,
      agent: models,
      shellPackages: 'only nix-shell knows packages: name them in the shell command',
      approval: humans,
      with: 'write config',
      exec: 'write command',
      routes: '',
      value: '',
      outputSchema: '',
      outputs: '',
    },
  },
)

export type RawStep = v.InferOutput<typeof Step>

const StepItem = v.union(
  [Step, text, v.array(v.union([Step, text], 'a step, or a command'), 'a group of steps')],
  'a step (a map), a command (a text), or a list of these that run side by side',
)

export const Steps = v.union(
  [v.array(StepItem), mapOf(v.union([Step, text], 'a step, or a command'), 'a map from names to steps')],
  'a list of steps, or a map from names to steps',
)
