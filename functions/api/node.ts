import { getRequestListener } from '@hono/node-server'
import { callerAddress } from '#lib/api/caller-address.ts'
import { functionParts } from '../function-parts.ts'
import { appOf } from './app-of.ts'

const parts = functionParts('api')
const app = appOf(parts)

/** For platforms that call a function with Node's own request and response. */
export const handler = getRequestListener((request, { incoming }) =>
  app.fetch(request, { address: callerAddress(incoming, parts.config.trustedProxies) }),
)
