import { dirname, resolve } from 'node:path'
import { limits } from '#lib/core/limits.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import type { Candidate } from './candidate.ts'
import { readInput } from './read-files.ts'

/** @param isGiven entries name a user */
export async function fromCrontab(path: string, isGiven: boolean): Promise<Candidate[]> {
  const { readCrontab } = await import('#lib/definition/crontab/read-crontab.ts')
  const { crontabLines } = await import('#lib/definition/crontab/crontab-lines.ts')
  const content =
    path === '-'
      ? await readInput('the crontab')
      : readSmallFile(path, { what: 'crontab', bytesMax: limits.specBytesMax })
  const file = resolve(path)
  const isSystem = isGiven || file === '/etc/crontab' || dirname(file) === '/etc/cron.d'
  return readCrontab(crontabLines(content), { isSystem }).map(({ name, spec, fault, line, ...about }) => ({
    ...about,
    name,
    line,
    ...(spec === undefined ? { fault: `line ${line}: ${fault}` } : { spec }),
  }))
}
