import { readFileSync } from 'node:fs'
import type { Deps } from '#lib/app/compose.ts'
import { keepHeartbeat } from '#lib/processes/keep-heartbeat.ts'
import type { Closing } from './closing.ts'

/** Shows this process among those that serve, until it ends. */
export function noteProcess({ db, part }: Pick<Deps, 'db' | 'part'>, closing: Closing): void {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  closing.add('note of the process', keepHeartbeat(db, { part, version }))
}
