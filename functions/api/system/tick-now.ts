import { defineRoute } from '#lib/api/define-route.ts'
import { TickAnswer } from '#lib/api/schemas/system.ts'

export const tickNow = defineRoute({
  method: 'post',
  path: '/tick',
  operationId: 'tickNow',
  summary: 'Run one tick, for an external scheduler; needs the tick token, or an admin',
  access: 'tick',
  status: 200,
  errors: [],
  response: TickAnswer,
  async handle(_input, { tick }) {
    return await tick()
  },
})
