import { nodeListener } from '#lib/api/requests/node-listener.ts'
import { functionDeps } from '../function-deps.ts'
import { appOf } from './app-of.ts'

const deps = functionDeps('api')
const app = appOf(deps)

/** For platforms that call a function with a request and response of `node:http`. */
export const handler = nodeListener((request, origin) => app.fetch(request, origin), {
  trustedProxies: deps.config.trustedProxies,
})
