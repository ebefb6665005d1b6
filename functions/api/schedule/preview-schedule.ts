import { defineRoute } from '#lib/api/define-route.ts'
import { answerPreview } from '#lib/api/answers/schedule-preview.ts'
import { PreviewAnswer, PreviewBody } from '#lib/api/schemas/schedule.ts'

export const previewSchedule = defineRoute({
  method: 'post',
  path: '/schedule/preview',
  operationId: 'previewSchedule',
  summary: 'Show the scheduled times that a changed spec adds and removes, without storing it',
  access: 'read',
  status: 200,
  errors: ['bad_request'],
  body: PreviewBody,
  response: PreviewAnswer,
  async handle({ body }, services) {
    return await answerPreview(services, body)
  },
})
