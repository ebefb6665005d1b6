import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { changeSources } from '#lib/dags/change.ts'
import { warnings } from './dag.ts'
import { DagPath } from './names.ts'

const number = v.pipe(v.number(), v.integer(), v.minValue(1))

export const DagVersion = v.object({
  version: v.pipe(number, v.description('Counted from 1 for each DAG; the `ETag` of its spec')),
  fileName: v.pipe(v.string(), v.description('The name of the file then')),
  change: v.pipe(
    v.picklist(['created', 'saved', 'renamed', 'restored', 'deleted']),
    v.description('What created the version. `deleted`: the deletion of the DAG, with its last text'),
  ),
  restoredVersion: v.exactOptional(
    v.pipe(number, v.description('For a restored text: the version it comes from')),
  ),
  savedAt: v.string(),
  savedAtMs: v.pipe(v.number(), v.integer()),
  savedBy: v.exactOptional(
    v.pipe(v.string(), v.description('The user or key; absent without authentication')),
  ),
  source: v.pipe(
    v.picklist(changeSources),
    v.description(
      'Where the change was made: in the page, by the command line, by another client of the API, ' +
        'in the folder of DAGs, or by the service itself',
    ),
  ),
  message: v.exactOptional(v.pipe(v.string(), v.description('Message of the author'))),
})

const versionText = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'must be the number of a version'))

export const VersionPath = v.object({
  ...DagPath.entries,
  version: v.pipe(versionText, v.toNumber(), v.number(), v.description('Number of a version')),
})

export const VersionsQuery = v.object({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,2}$/, `must be a whole number from 1 to ${limits.versionsPerPageMax}`),
      v.toNumber(),
      v.number(),
      v.integer(),
      v.maxValue(limits.versionsPerPageMax, `must be at most ${limits.versionsPerPageMax}`),
    ),
    '50',
  ),
  cursor: v.exactOptional(v.pipe(versionText, v.description('`nextCursor` of the page before'))),
})

export const VersionsAnswer = v.object({
  versions: v.pipe(v.array(DagVersion), v.description('Newest first')),
  nextCursor: v.exactOptional(v.string()),
})

export const VersionAnswer = v.object({ ...DagVersion.entries, spec: v.string() })

export const RestoreAnswer = v.object({
  version: v.pipe(number, v.description('Current state of the DAG')),
  warnings,
})

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { DagVersion }
