import { readNoConfig } from './no-config.ts'
import type { ExecutorRecord } from './record.ts'

export const shell: ExecutorRecord = {
  spellings: ['', 'command'],
  description: 'runs programs on the machine of the runner',
  command: 'many',
  script: 'work',
  shell: 'local',
  texts: 'program',
  lacking: 'has nothing to do: give it a command, a script, or a DAG to call',
  readConfig: readNoConfig,
}
