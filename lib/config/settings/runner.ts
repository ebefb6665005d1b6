import * as v from 'valibot'
import { setting } from './setting.ts'
import { number, pairs, list, folders, program, network } from './values.ts'

export const runnerSettings = {
  MILLRACE_RUNNER_SLOTS: setting(
    number(1, 10_000, ''),
    '16',
    'Number of runs that a runner executes at the same time.',
    'text',
  ),
  MILLRACE_RUNNER_LABELS: setting(
    pairs('must be name=value pairs, separated by commas', (value) => /^[\w.\-/]{1,63}$/.test(value)),
    '[none]',
    'Labels of the runner, name=value pairs separated by commas; the workerSelector of a DAG must match.',
    'text',
  ),
  MILLRACE_RUNNER_GRACE_S: setting(
    number(0, 86_400, ' seconds'),
    '10',
    'Seconds for which running steps may continue after the runner was asked to stop.',
    'text',
  ),
  MILLRACE_RUNNER_BUDGET_S: setting(
    number(1, 86_400, ' seconds'),
    '[none]',
    'Seconds after which the runner releases its runs and ends; running steps get the grace period.',
    'text',
  ),
  MILLRACE_LEASE_S: setting(
    number(5, 3_600, ' seconds'),
    '45',
    'Length of a lease: seconds after the last renewal of a runner until its runs are taken over.',
    'text',
  ),
  MILLRACE_SHELL: setting(
    program,
    'sh',
    'Shell of steps and scripts that name none: an absolute path, or the name of a program in PATH.',
    'text',
  ),
  MILLRACE_JQ_PATH: setting(
    v.string(),
    '[built in]',
    'Path of the jq program for jq steps, instead of the built-in one.',
    'text',
  ),
  MILLRACE_STEP_USER: setting(
    v.pipe(
      v.string(),
      v.regex(/^([a-zA-Z_][\w.-]*\$?|\d{1,9}(:\d{1,9})?)$/, 'must be a name, a uid, or uid:gid'),
    ),
    '[the user of the runner]',
    'User that steps run as: a name, a uid or uid:gid. Without it, a step can read what the service can read.',
    'text',
  ),
  MILLRACE_FILE_ROOTS: setting(
    folders,
    '[anywhere]',
    'Folders to which files and working directories that DAGs name are restricted, separated by commas.',
    'text',
  ),
  MILLRACE_HTTP_ALLOW: setting(
    v.pipe(
      v.string(),
      v.transform(list),
      v.check((entries) => entries.every((entry) => network.test(entry)), 'must be addresses or networks'),
    ),
    '[none]',
    'Link-local and metadata addresses or networks that http steps may call, separated by commas.',
    'text',
  ),
  MILLRACE_CONTAINER_ALLOW: setting(
    v.pipe(
      v.string(),
      v.transform(list),
      v.array(
        v.picklist(['privileged', 'root', 'socket'], 'must be privileged, root, socket, separated by commas'),
      ),
    ),
    '[none]',
    'What step containers may use: privileged, root (a bind of / or of /etc and such), socket (a bind of its socket).',
    'text',
  ),
} as const
