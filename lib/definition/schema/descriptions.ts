import { executorTypes } from '../definition.ts'
import { executors } from '../executor-config/executors.ts'

const offered = executorTypes.map((type) => `${type}: ${executors[type].description}.`).join(' ')

/**
 * What each field does, for the reference and for editors: by the kind of map (the `what` of `fields`), then by field
 * name.
 */
export const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a DAG': {
    name: 'The name shown in lists and runs. Defaults to the name of the file.',
    group: 'Lists show the DAGs of a group together.',
    description: 'One sentence on what the DAG is for.',
    type:
      'chain: each step waits for the step above it, and for the steps that it names; depends: [] lets it wait for ' +
      'nothing. graph: steps wait only for the steps they name.',
    schedule:
      'When runs start: one or more cron expressions of five fields, with CRON_TZ=Zone in front to set a time zone.',
    skipIfSuccessful: 'Skip a scheduled run if a run has succeeded since the previous scheduled time.',
    catchup:
      'Which missed schedule times get a run later: none, the last one, or all of them, one after the other.',
    catchupWindow:
      'How far back catchup looks, such as 6h or 1d12h. Set without catchup, it means catchup: all.',
    overlapPolicy:
      'What happens when a schedule time comes while a run is active. skip: nothing. all: a run is queued. ' +
      'latest: a run is queued and replaces those already waiting.',
    params:
      'Parameters and their defaults: a text, a list, a map, or a JSON Schema under `schema` with defaults ' +
      'under `values`.',
    env: 'Environment variables of all steps. An entry may refer to the entries above it.',
    dotenv: 'Files of variables, read when a run starts.',
    secrets:
      'Variables read from the environment of the runner or from files. Their values are masked in logs and answers.',
    shell: 'The program that runs commands and scripts, with its arguments.',
    workingDir: 'The directory in which steps run, relative to the directory of the file.',
    steps: 'What a run does.',
    handlerOn: 'Steps that run before the first step or when the run ends.',
    preconditions: 'Conditions checked before the first step. The run is cancelled unless all of them hold.',
    precondition: 'Alias of preconditions.',
    maxActiveRuns:
      'How many queued runs of the DAG may be active at once, whichever queue a caller puts them on. ' +
      'If `queue` names a queue of the settings, the limit of that queue applies instead.',
    maxActiveSteps: 'How many steps of a run may be active at once. 0: no limit.',
    delaySec: 'Seconds between the starts of two steps.',
    timeoutSec: 'Seconds after which the run is stopped and fails. 0: no limit.',
    restartWaitSec: 'Seconds between the stop and the new start of a scheduled restart.',
    maxCleanUpTimeSec: 'Seconds between the stop signal of a step and SIGKILL.',
    histRetentionDays: 'Days for which ended runs are kept.',
    histRetentionRuns: 'How many ended runs are kept; the oldest are removed first.',
    logDir: 'Shown to clients only. Where logs are stored is a setting of the service.',
    logOutput: 'separate: standard output and standard error have a log each. merged: they share one.',
    maxOutputSize: 'Bytes of standard output that a step may capture in a variable.',
    queue: 'The queue of the runs. Defaults to a queue of the DAG itself.',
    tags: 'Words by which lists can be filtered.',
    smtp: 'The server that sends mail.',
    mailOn: 'Whether a mail is sent when a run succeeds or fails.',
    errorMail: 'The mail sent when a run or step fails.',
    infoMail: 'The mail sent when a run succeeds.',
    container: 'A container started once per run, in which the steps run.',
    registryAuths: 'Credentials of image registries, by host.',
    ssh: 'Defaults of ssh steps. If set, every step without an executor runs over ssh.',
    otel: 'Accepted and ignored: tracing is a setting of the service.',
    retryPolicy: 'Accepted only with limit 0: steps are retried, runs are not.',
    runConfig: 'What the start dialog does not let people change.',
    workerSelector: 'Labels that a runner must have to claim the run.',
  },
  'a schedule': {
    start: 'When a run is started.',
    stop: 'When the active run is stopped.',
    restart: 'When the active run is stopped and started again.',
  },
  'a secret': {
    name: 'The variable that holds the secret.',
    provider: 'env: a variable in the environment of the runner. file: a file on its machine.',
    key: 'The name of the variable or the path of the file.',
    options: 'Accepted for compatibility and ignored.',
  },
  'a step': {
    name: 'The name of the step. Defaults to a name made of its type and position.',
    id: 'The name by which other steps refer to it: ${id.stdout}, ${id.exit_code}.',
    description: 'One sentence on what the step is for.',
    command: 'A command line, or a list of command lines run one after the other.',
    script: 'A program of several lines. A first line that begins with #! selects the interpreter.',
    shell: 'The program that runs the command of this step, instead of the shell of the DAG.',
    workingDir: 'The directory in which the step runs.',
    env: 'Environment variables of this step; they override those of the DAG.',
    depends: 'Names or ids of the steps that must end first. An empty list: none.',
    type: `What executes the step. ${offered}`,
    config: 'The configuration of the executor named by `type`.',
    executor:
      'What executes the step: a type, or a map of type and config. Same as the fields `type` and `config`.',
    call: 'The DAG that this step runs: another document of this file, or a stored DAG.',
    params: 'Parameters of the called DAG.',
    parallel: 'Run the called DAG once for each item.',
    container: 'The container in which the step runs.',
    output: 'The variable that receives the standard output of the step. Later steps can read it.',
    stdout: 'A file that also receives the standard output.',
    stderr: 'A file that also receives the standard error.',
    logOutput: 'separate or merged: overrides the field of the DAG for this step.',
    continueOn: 'When the run goes on although this step has not succeeded.',
    retryPolicy: 'How often and when the step is tried again after a failure.',
    repeatPolicy: 'How often and on which condition the step runs again after a success.',
    preconditions: 'Conditions checked before the step. It is skipped unless all of them hold.',
    precondition: 'Alias of preconditions.',
    signalOnStop: 'The signal sent to the step when it is stopped.',
    timeoutSec: 'Seconds after which an attempt of the step is stopped and fails. 0: no limit.',
    mailOnError: 'Send a mail when the step has finally failed.',
    workerSelector: 'Labels that a runner must have to claim the run of the called DAG.',
  },
  'an executor': {
    type: offered,
    config: 'The configuration of the executor.',
  },
  parallel: {
    items: 'A list, or a text with a variable that holds one.',
    maxConcurrent: 'How many child runs may be active at once.',
  },
  'a container': {
    exec: 'The name of a running container in which commands are executed.',
    image: 'The image of the container.',
    name: 'The name of the container. If a container of that name is running, it is used.',
    pullPolicy: 'When the image is pulled: always, missing or never.',
    env: 'Environment variables in the container.',
    volumes: 'Directories of the machine to mount: host:container, with :ro for read-only.',
    user: 'The user that runs the commands.',
    workingDir: 'The directory in which commands run.',
    platform: 'The platform of the image, such as linux/arm64.',
    ports: 'Ports to publish: host:container.',
    network: 'The network that the container joins.',
    keepContainer: 'Keep the container after the run has ended.',
    startup:
      'What keeps the container running: keepalive (a sleeping process), the entrypoint of its image, or command.',
    command: 'The command of the container if startup is command.',
    waitFor: 'What steps wait for: running or healthy.',
    logPattern: 'Steps wait until the log of the container matches this pattern.',
    restartPolicy: 'What the engine does when the container exits. Nothing by default.',
  },
  'an output': {
    name: 'The variable that receives the output.',
    key: 'The name of the output in the outputs of the run.',
    omit: 'Leave it out of the outputs of the run.',
  },
  continueOn: {
    failure: 'Continue if the step fails.',
    skipped: 'Continue if the step is skipped.',
    exitCode: 'Continue if the step exits with one of these codes.',
    output: 'Continue if the step printed one of these texts. The prefix re: makes a text a pattern.',
    markSuccess: 'Count the step as succeeded.',
  },
  'a retry policy': {
    limit: 'How many times the step is tried again.',
    intervalSec: 'Seconds before the next attempt. 0 means 100 milliseconds.',
    exitCode: 'Retry only after these exit codes.',
    backoff: 'The factor by which the interval grows with each attempt. true: 2.',
    maxIntervalSec: 'The longest interval, in seconds. 0: no limit.',
  },
  'a repeat policy': {
    repeat: 'Repeat while or until the condition holds. true: while the step succeeds.',
    intervalSec: 'Seconds before the next execution. 0 means 100 milliseconds.',
    limit: 'How many times the step is executed at most.',
    condition: 'A command that succeeds if the condition holds, or a text that is compared with expected.',
    expected: 'The text that the condition must equal, or a pattern with the prefix re:.',
    negate: 'Invert the condition.',
    exitCode: 'The condition holds if the step exits with one of these codes.',
    backoff:
      'The factor by which the interval grows, already for the first repetition: 10 s and 2 wait 20, 40, 80. true: 2.',
    maxIntervalSec: 'The longest interval, in seconds. 0: no limit.',
  },
  'a condition': {
    condition: 'A command that must succeed, or a text that is compared with expected.',
    expected: 'The text that it must equal, or a pattern with the prefix re:.',
    negate: 'Invert the condition.',
  },
  handlerOn: {
    init: 'Runs before the first step. If it fails, the run is cancelled.',
    success: 'Runs when the run succeeds.',
    failure: 'Runs when the run fails.',
    cancel: 'Runs when the run is stopped.',
    abort: 'Alias of cancel.',
    exit: 'Runs last, however the run ended.',
  },
  smtp: {
    host: 'The name of the server.',
    port: 'The port of the server. 465 uses TLS from the first byte.',
    username: 'The user name, if the server requires one.',
    password: 'The password. Read it from a secret.',
  },
  mailOn: {
    failure: 'Send a mail when a run fails or is stopped.',
    success: 'Send a mail when a run succeeds.',
  },
  'a mail': {
    from: 'The sender.',
    to: 'One or more addresses.',
    prefix: 'The beginning of the subject.',
    attachLogs: 'Attach the ends of the logs.',
  },
  'a registry': {
    username: 'The user name at the registry.',
    password: 'The password or token.',
    auth: 'User name and password as one base64 text.',
  },
  ssh: {
    user: 'The user on the remote machine.',
    host: 'The name or address of the remote machine.',
    port: 'The port of its ssh server. 22 by default.',
    key: 'The path of the private key.',
    password: 'The password, if no key is used.',
    strictHostKey: 'false: accept any host key. By default the key must be known.',
    knownHostFile: 'The file of known host keys.',
    shell: 'The program that runs the command on the remote machine.',
  },
  runConfig: {
    disableParamEdit: 'Parameters cannot be changed.',
    disableRunIdEdit: 'The run id cannot be chosen.',
  },
}
