import type { Command } from './command.ts'
import { api } from './commands/api.ts'
import { audit } from './commands/audit.ts'
import { backup } from './commands/backup.ts'
import { compare } from './commands/compare.ts'
import { completion } from './commands/completion.ts'
import { demo } from './commands/demo.ts'
import { deleteDag } from './commands/delete.ts'
import { diff } from './commands/diff.ts'
import { doctor } from './commands/doctor.ts'
import { edit } from './commands/edit.ts'
import { enqueue } from './commands/enqueue.ts'
import { exportAll } from './commands/export.ts'
import { help } from './commands/help.ts'
import { history } from './commands/history.ts'
import { importDags } from './commands/import.ts'
import { keys } from './commands/keys.ts'
import { logs } from './commands/logs.ts'
import { migrate } from './commands/migrate.ts'
import { moveLogs } from './commands/move-logs.ts'
import { next } from './commands/next.ts'
import { overview } from './commands/overview.ts'
import { plan } from './commands/plan.ts'
import { ps } from './commands/ps.ts'
import { queue } from './commands/queue.ts'
import { queues } from './commands/queues.ts'
import { restore } from './commands/restore.ts'
import { resume } from './commands/resume.ts'
import { retry } from './commands/retry.ts'
import { revert } from './commands/revert.ts'
import { runner } from './commands/runner.ts'
import { runners } from './commands/runners.ts'
import { search } from './commands/search.ts'
import { schedule } from './commands/schedule.ts'
import { settings } from './commands/settings.ts'
import { show } from './commands/show.ts'
import { start } from './commands/start.ts'
import { status } from './commands/status.ts'
import { stop } from './commands/stop.ts'
import { suspend } from './commands/suspend.ts'
import { tick } from './commands/tick.ts'
import { up } from './commands/up.ts'
import { users } from './commands/users.ts'
import { validate } from './commands/validate.ts'
import { version } from './commands/version.ts'
import { versions } from './commands/versions.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  up,
  demo,
  api,
  tick,
  runner,
  migrate,
  start,
  enqueue,
  stop,
  retry,
  status,
  ps,
  logs,
  history,
  compare,
  search,
  show,
  validate,
  plan,
  next,
  schedule,
  overview,
  importDags,
  exportAll,
  edit,
  versions,
  diff,
  revert,
  deleteDag,
  suspend,
  resume,
  queues,
  queue,
  runners,
  keys,
  users,
  audit,
  settings,
  doctor,
  backup,
  restore,
  moveLogs,
  completion,
  version,
  help,
]
