import { defineRoute } from '#lib/api/define-route.ts'
import { SessionAnswer } from '#lib/api/schemas/session.ts'

export const getSession = defineRoute({
  method: 'get',
  path: '/session',
  operationId: 'getSession',
  summary: 'Return the caller, their rights, and the ways to sign in',
  access: 'session',
  status: 200,
  errors: [],
  response: SessionAnswer,
  async handle({ caller }, { showSession }) {
    return showSession(caller)
  },
})
