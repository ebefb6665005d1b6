import { dirname, resolve } from 'node:path'
import { limits } from '#lib/core/limits.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import type { Candidate } from './candidate.ts'
import { readInput } from './read-files.ts'

/**
 * Reads the entries of a crontab; `-` is standard input.
 * @param hasUsers entries have a user field, as in `/etc/crontab`, where it is assumed
 */
export async function fromCrontab(path: string, hasUsers: boolean): Promise<Candidate[]> {
  const { readCrontab } = await import('#lib/definition/crontab/read-crontab.ts')
  const { crontabLines } = await import('#lib/definition/crontab/crontab-lines.ts')
  const content =
    path === '-'
      ? await readInput('the crontab')
      : readSmallFile(path, { what: 'crontab', bytesMax: limits.specBytesMax })
  const file = resolve(path)
  const isSystem = hasUsers || file === '/etc/crontab' || dirname(file) === '/etc/cron.d'
  return readCrontab(crontabLines(content), { isSystem }).map(({ name, spec, fault, line, ...about }) => ({
    ...about,
    name,
    line,
    ...(spec === undefined ? { fault: `line ${line}: ${fault}` } : { spec }),
  }))
}
