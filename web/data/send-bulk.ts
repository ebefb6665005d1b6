import type { Answer, Arguments } from '#lib/client/client.ts'
import { newKey, type Ask } from './call.ts'

type Batch = 'batchDagRuns' | 'batchDags'
type Result<Id extends Batch> = Extract<Answer<Id>, { status: 200 }>['body']['results'][number]
type RunBatch = NonNullable<Arguments<'batchDagRuns'>[0]>['body']
type DagBatch = NonNullable<Arguments<'batchDags'>[0]>['body']

/** The maximum number in one call. */
const atOnce = 500

/**
 * Applies an action to any number of runs or DAGs, in as many calls as needed. When repeated, it continues without
 * repeating what is done.
 */
export function createBulk(ask: Ask) {
  const key = newKey()
  const headersOf = (index: number) => ({ 'Idempotency-Key': `${key}-${index}` })
  return {
    runs: async ({ action, runs }: RunBatch): Promise<readonly Result<'batchDagRuns'>[]> => {
      const results: Result<'batchDagRuns'>[] = []
      for (let index = 0; index < runs.length; index += atOnce) {
        const body = { action, runs: runs.slice(index, index + atOnce) }
        results.push(...(await ask('batchDagRuns', { body, headers: headersOf(index) })).results)
      }
      return results
    },
    dags: async ({ files, ...rest }: DagBatch): Promise<readonly Result<'batchDags'>[]> => {
      const results: Result<'batchDags'>[] = []
      for (let index = 0; index < files.length; index += atOnce) {
        const body = { ...rest, files: files.slice(index, index + atOnce) }
        results.push(...(await ask('batchDags', { body, headers: headersOf(index) })).results)
      }
      return results
    },
  }
}
