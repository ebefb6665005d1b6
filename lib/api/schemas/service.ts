import * as v from 'valibot'

const instanceEntries = {
  instanceId: v.string(),
  host: v.string(),
  status: v.picklist(['active', 'inactive', 'unknown']),
  startedAt: v.string(),
}

export const SchedulerList = v.object({
  schedulers: v.array(
    v.object({
      ...instanceEntries,
      heartbeatAt: v.pipe(v.string(), v.description('When it ticked last')),
    }),
  ),
})

const Samples = v.array(
  v.object({ timestamp: v.pipe(v.number(), v.integer(), v.description('Unix seconds')), value: v.number() }),
)

export const ResourceQuery = v.object({
  duration: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,5}[smh]$/, 'must be a number with s, m or h'),
      v.description('How far back: `30s`, `10m`, `1h`. An instance keeps at most an hour'),
    ),
    '1h',
  ),
})

export const ResourceHistory = v.object({
  cpu: v.pipe(Samples, v.description('Percent of all cores that are busy')),
  memory: v.pipe(Samples, v.description('Percent in use')),
  disk: v.pipe(Samples, v.description('Percent of the root file system in use')),
  load: v.pipe(Samples, v.description('Load average of one minute')),
})

export const CoordinatorList = v.object({
  coordinators: v.array(v.object({ ...instanceEntries, port: v.pipe(v.number(), v.integer()) })),
})
