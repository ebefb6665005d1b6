import type { Command } from './command.ts'
import { api } from './commands/api.ts'
import { audit } from './commands/audit.ts'
import { backup } from './commands/backup.ts'
import { completion } from './commands/completion.ts'
import { demo } from './commands/demo.ts'
import { deleteDag } from './commands/delete.ts'
import { doctor } from './commands/doctor.ts'
import { edit } from './commands/edit.ts'
import { enqueue } from './commands/enqueue.ts'
import { help } from './commands/help.ts'
import { history } from './commands/history.ts'
import { importDags } from './commands/import.ts'
import { keys } from './commands/keys.ts'
import { logs } from './commands/logs.ts'
import { migrate } from './commands/migrate.ts'
import { moveLogs } from './commands/move-logs.ts'
import { next } from './commands/next.ts'
import { plan } from './commands/plan.ts'
import { ps } from './commands/ps.ts'
import { restore } from './commands/restore.ts'
import { resume } from './commands/resume.ts'
import { retry } from './commands/retry.ts'
import { runner } from './commands/runner.ts'
import { runners } from './commands/runners.ts'
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
  show,
  validate,
  plan,
  next,
  importDags,
  edit,
  deleteDag,
  suspend,
  resume,
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
