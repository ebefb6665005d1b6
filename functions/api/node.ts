import { nodeListener } from '#lib/api/requests/node-listener.ts'
import { functionParts } from '../function-parts.ts'
import { appOf } from './app-of.ts'

const parts = functionParts('api')
const app = appOf(parts)

/** For platforms that call a function with a request and response of `node:http`. */
export const handler = nodeListener((request, origin) => app.fetch(request, origin), {
  trustedProxies: parts.config.trustedProxies,
})
