import { nearestName } from '#lib/core/nearest-name.ts'
import { executorTypes, type ExecutorType } from '../definition.ts'
import { dag } from './dag.ts'
import { docker } from './docker.ts'
import { http } from './http.ts'
import { jq } from './jq.ts'
import { mail } from './mail.ts'
import type { ExecutorRecord } from './record.ts'
import { shell } from './shell.ts'
import { ssh } from './ssh.ts'

/** One record per type. */
export const executors: Readonly<Record<ExecutorType, ExecutorRecord>> = {
  shell,
  docker,
  ssh,
  http,
  mail,
  jq,
  dag,
}

const bySpelling: ReadonlyMap<string, ExecutorType> = new Map(
  executorTypes.flatMap((type) => [type, ...executors[type].spellings].map((name) => [name, type] as const)),
)

/** Types of the format that this service does not have. */
const notOffered = new Set(
  [
    'gha github_action github-action archive chat hitl agent harness router template log',
    'redis s3 sql postgres sqlite sftp kubernetes k8s',
  ].flatMap((words) => words.split(' ')),
)

/** The type that a name stands for; otherwise a fault, phrased to follow the name of the field. */
export function readExecutorType(spelling: string): ExecutorType | { readonly fault: string } {
  const lower = spelling.trim().toLowerCase()
  const type = bySpelling.get(lower)
  if (type !== undefined) return type
  const offered = executorTypes.join(', ')
  const shown = JSON.stringify(spelling.slice(0, 60))
  if (notOffered.has(lower)) return { fault: `must be one of ${offered}; ${shown} is not offered here` }
  const near = lower.length > 60 ? undefined : nearestName(lower, [...bySpelling.keys()])
  const hint = near === undefined || near === '' ? '' : `, did you mean ${near}?`
  return { fault: `must be one of ${offered}, is ${shown}${hint}` }
}
