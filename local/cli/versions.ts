import type { Operations } from '#lib/client/api-types.gen.ts'
import { UsageError, type Option } from './command.ts'
import type { Service } from './service.ts'

export type Version = Operations['listDagVersions']['responses'][200]['versions'][number]

/** Option of commands that create a version. */
export const messageOption = {
  value: 'TEXT',
  short: 'm',
  about: 'message for the list of versions',
} as const satisfies Option

const perPage = 100

/** The newest versions of a DAG, newest first; at most this many. */
export async function listVersions(
  service: Service,
  fileName: string,
  count: number,
): Promise<readonly Version[]> {
  const found: Version[] = []
  for (let cursor: string | undefined; found.length < count;) {
    const limit = Math.min(perPage, count - found.length)
    const query = { limit, ...(cursor !== undefined && { cursor }) }
    const page = await service.ask('listDagVersions', { params: { fileName }, query })
    found.push(...page.versions)
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  return found
}

/** @throws UsageError */
export function readVersion(word: string): number {
  if (/^[1-9]\d{0,8}$/.test(word)) return Number(word)
  throw new UsageError(`VERSION must be the number of a version, got ${JSON.stringify(word)}`)
}
