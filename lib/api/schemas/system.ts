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
