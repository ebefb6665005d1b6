import { Hono } from 'hono'
import { handle, streamHandle, type ApiGatewayRequestContextV2, type LambdaContext } from 'hono/aws-lambda'
import { functionDeps } from '../function-deps.ts'
import { appOf } from './app-of.ts'
import { endInTime } from './end-in-time.ts'

interface Call {
  Bindings: {
    readonly requestContext?: Partial<ApiGatewayRequestContextV2>
    readonly lambdaContext?: LambdaContext
    readonly context?: LambdaContext
  }
}

/** Time limit of a buffered response, milliseconds. API Gateway gives up after 29 s. */
const bufferedMsMax = 20_000
/** Time to send the last bytes before the platform ends the invocation, milliseconds. */
const spareMs = 2_000

const api = appOf(functionDeps('api'))

function appFor(limitMs: number): Hono<Call> {
  const app = new Hono<Call>()
  return app.all('*', async (c) => {
    const { requestContext, lambdaContext, context = lambdaContext } = c.env
    const leftMs = (context?.getRemainingTimeInMillis() ?? limitMs) - spareMs
    const response = await api.fetch(c.req.raw, { address: requestContext?.http?.sourceIp ?? '' })
    return endInTime(response, Math.min(leftMs, limitMs))
  })
}

/** AWS Lambda behind an HTTP API or a load balancer: responses are buffered. */
export const handler = handle(appFor(bufferedMsMax))

/** AWS Lambda behind a function URL with response streaming. */
export const streaming = 'awslambda' in globalThis ? streamHandle(appFor(Infinity)) : undefined
