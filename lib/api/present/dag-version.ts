import type { InferOutput } from 'valibot'
import type { DagVersion as StoredVersion } from '#lib/dags/list-versions.ts'
import type { DagVersion } from '../schemas/dag-version.ts'
import { timestamp } from './timestamp.ts'

export function presentVersion(stored: StoredVersion): InferOutput<typeof DagVersion> {
  const { version, named, change, restored, savedAt, savedBy, source, message } = stored
  return {
    version,
    fileName: named,
    change,
    savedAt: timestamp(savedAt),
    savedAtMs: Math.floor(savedAt),
    source,
    ...(restored !== null && { restoredVersion: restored }),
    ...(savedBy !== null && { savedBy }),
    ...(message !== null && { message }),
  }
}
