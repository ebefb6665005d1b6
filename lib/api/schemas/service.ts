import * as v from 'valibot'

const instanceEntries = {
  instanceId: v.string(),
  host: v.string(),
  status: v.picklist(['active', 'inactive', 'unknown']),
  startedAt: v.string(),
}

export const SchedulerList = v.object({ schedulers: v.array(v.object(instanceEntries)) })

export const CoordinatorList = v.object({
  coordinators: v.array(v.object({ ...instanceEntries, port: v.pipe(v.number(), v.integer()) })),
})
