import { defineRoute } from '#lib/api/define-route.ts'
import { presentSchedule } from '#lib/api/present/schedule.ts'
import { ScheduleAnswer, ScheduleQuery } from '#lib/api/schemas/schedule.ts'

export const getSchedule = defineRoute({
  method: 'get',
  path: '/schedule',
  operationId: 'getSchedule',
  summary: 'Show when schedules fire in a time range, and what happened at past times',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  query: ScheduleQuery,
  response: ScheduleAnswer,
  async handle({ query }, services) {
    return await presentSchedule(services, query)
  },
})
