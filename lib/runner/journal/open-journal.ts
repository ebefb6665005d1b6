import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import { isUnavailable, passesByRetry } from '#lib/db/errors.ts'
import {
  recordLarge,
  recordLength,
  recordProgress,
  type RecordItem,
  type RecordStep,
} from '#lib/runs/claim/record-progress.ts'
import { JournalLanes } from './journal-lanes.ts'

/** The journal of a runner, which records in the database. */
export function openJournal(
  db: Database,
  onFailure: (error: unknown) => void,
): JournalLanes<RecordStep, RecordItem> {
  return new JournalLanes({
    write: (batch) => recordProgress(db, batch),
    writeLarge: (item) => recordLarge(db, item),
    weight: { of: recordLength, large: limits.largeRecordLength },
    isTransient: (error) => isUnavailable(error) || passesByRetry(error),
    onFailure,
  })
}
