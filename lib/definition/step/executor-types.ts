import { nearestName } from '#lib/core/nearest-name.ts'
import type { ExecutorType } from '#lib/definition/definition.ts'

/** What a step of an executor type may contain besides its config. */
export interface Abilities {
  readonly command: 'many' | 'one' | 'none'
  /** Commands or a script are required. */
  readonly needsWork: boolean
  readonly script: boolean
  readonly shell: boolean
}

export const abilities: Readonly<Record<ExecutorType, Abilities>> = {
  shell: { command: 'many', needsWork: true, script: true, shell: true },
  docker: { command: 'many', needsWork: false, script: false, shell: false },
  ssh: { command: 'one', needsWork: true, script: true, shell: true },
  http: { command: 'one', needsWork: true, script: true, shell: false },
  mail: { command: 'none', needsWork: false, script: false, shell: false },
  jq: { command: 'one', needsWork: true, script: true, shell: false },
  dag: { command: 'one', needsWork: true, script: false, shell: false },
}

const spellings: ReadonlyMap<string, ExecutorType> = new Map<string, ExecutorType>([
  ['', 'shell'],
  ['shell', 'shell'],
  ['command', 'shell'],
  ['docker', 'docker'],
  ['container', 'docker'],
  ['ssh', 'ssh'],
  ['http', 'http'],
  ['mail', 'mail'],
  ['jq', 'jq'],
  ['dag', 'dag'],
  ['subworkflow', 'dag'],
  ['parallel', 'dag'],
])

const notOffered = new Set(
  [
    'gha github_action github-action archive chat hitl agent harness router template log',
    'redis s3 sql postgres sqlite sftp kubernetes k8s',
  ].flatMap((words) => words.split(' ')),
)

const offered = 'shell, docker, ssh, http, mail, jq, dag'

/** The type that a name stands for; otherwise a fault, phrased to follow the name of the field. */
export function executorType(spelling: string): ExecutorType | { readonly fault: string } {
  const lower = spelling.trim().toLowerCase()
  const type = spellings.get(lower)
  if (type !== undefined) return type
  const shown = JSON.stringify(spelling.slice(0, 60))
  if (notOffered.has(lower)) return { fault: `must be one of ${offered}; ${shown} is not offered here` }
  const near = lower.length > 60 ? undefined : nearestName(lower, [...spellings.keys()])
  const hint = near === undefined || near === '' ? '' : `, did you mean ${near}?`
  return { fault: `must be one of ${offered}, is ${shown}${hint}` }
}
