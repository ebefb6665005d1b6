import * as v from 'valibot'
import { errorCodes } from '#lib/core/errors.ts'

export const Health = v.object({
  status: v.picklist(['healthy', 'unhealthy']),
  version: v.string(),
  uptime: v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Seconds')),
  timestamp: v.string(),
  error: v.exactOptional(v.string()),
})

export const ErrorAnswer = v.object({
  code: v.picklist(errorCodes),
  message: v.string(),
  details: v.exactOptional(v.record(v.string(), v.unknown())),
})

export const MetricsText = v.string()

const done = v.pipe(v.number(), v.integer(), v.minValue(0))

export const TickAnswer = v.object({
  fired: v.pipe(done, v.description('Scheduled instants that did something')),
  promoted: v.pipe(done, v.description('Queued runs that may start now')),
  takenOver: v.pipe(done, v.description('Runs of lost runners that continue')),
  stopped: v.pipe(done, v.description('Runs without a runner that were asked to stop')),
  removed: v.pipe(done, v.description('Runs removed by retention')),
  nextDueMs: v.pipe(
    v.number(),
    v.description('Milliseconds until the next known work is due; at most a minute'),
  ),
})

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { Error: ErrorAnswer, Health }
