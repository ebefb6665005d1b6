import * as v from 'valibot'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentHistogram } from '#lib/api/present/histogram.ts'
import { HistogramRangeEntries, RunChoiceEntries, RunDagName } from '#lib/api/schemas/run-filter.ts'
import { Histogram } from '#lib/api/schemas/run.ts'

export const getRunHistogram = defineRoute({
  method: 'get',
  path: '/dag-runs/histogram',
  operationId: 'getRunHistogram',
  summary: 'Count all runs of a time range by status, in buckets of equal length',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  query: v.object({ ...HistogramRangeEntries, ...RunChoiceEntries, name: RunDagName }),
  response: Histogram,
  async handle({ query }, services) {
    return await presentHistogram(services, query)
  },
})
