import * as v from 'valibot'
import { labelSets } from '#lib/core/status.ts'
import { setting } from './setting.ts'
import { number, pairs, isZone, address } from './values.ts'

export const serviceSettings = {
  MILLRACE_HOST: setting(
    v.pipe(v.string(), address),
    '127.0.0.1',
    'Address that the API listens on.',
    'text',
  ),
  MILLRACE_PORT: setting(number(0, 65_535, ''), '8080', 'Port of the API; 0 takes a free one.', 'text'),
  MILLRACE_DRAIN_S: setting(
    number(0, 3_600, ' seconds'),
    '0',
    'Seconds for which the API keeps answering after it was asked to stop, with /readyz at 503.',
    'text',
  ),
  MILLRACE_DATA_DIR: setting(
    v.string(),
    '.millrace',
    'Folder of the embedded Postgres and of log files.',
    'text',
  ),
  MILLRACE_DAGS_DIR: setting(
    v.string(),
    '[none]',
    'Folder of DAG files, with subfolders. npm start, and ticks that have this setting, read it every two seconds.',
    'text',
  ),
  MILLRACE_TZ: setting(
    v.pipe(v.string(), v.check(isZone, 'must be a time zone such as Europe/Berlin')),
    "[the machine's]",
    'Time zone of schedules that name none.',
    'text',
  ),
  MILLRACE_BASE_CONFIG: setting(v.string(), '[none]', 'A YAML file that every DAG inherits from.', 'text'),
  MILLRACE_QUEUES: setting(
    pairs('must be name=maximum pairs, separated by commas', (value) => /^[1-9]\d{0,5}$/.test(value)),
    '[none]',
    'Custom queues, name=maximum pairs separated by commas: the maximum number of active runs.',
    'text',
  ),
  MILLRACE_DAG_VERSIONS: setting(
    number(1, 100_000, ''),
    '100',
    'Minimum number of versions kept of each DAG.',
    'text',
  ),
  MILLRACE_STATUS_LABELS: setting(
    v.picklist(labelSets, `must be ${labelSets.join(' or ')}`),
    'documented',
    'Words for statuses in the API: documented (finished, cancelled) or 1.23 (succeeded, canceled), as clients expect.',
    'text',
  ),
  MILLRACE_REMOTE_NODES: setting(
    v.string(),
    '[none]',
    'YAML or JSON file that lists other instances, for the query parameter remoteNode.',
    'text',
  ),
} as const
