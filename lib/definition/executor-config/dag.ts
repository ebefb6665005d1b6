import { readNoConfig } from './no-config.ts'
import type { ExecutorRecord } from './record.ts'

export const dag: ExecutorRecord = {
  spellings: ['subworkflow', 'parallel'],
  description: 'runs another DAG',
  command: 'one',
  script: 'none',
  texts: 'plain',
  lacking: 'needs call, the name of the DAG to run',
  readConfig: readNoConfig,
}
