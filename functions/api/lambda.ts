import { Hono } from 'hono'
import { handle, streamHandle, type ApiGatewayRequestContextV2, type LambdaContext } from 'hono/aws-lambda'
import { functionParts } from '../function-parts.ts'
import { appOf } from './app-of.ts'
import { endInTime } from './end-in-time.ts'

interface Call {
  Bindings: {
    readonly requestContext?: Partial<ApiGatewayRequestContextV2>
    readonly lambdaContext?: LambdaContext
    readonly context?: LambdaContext
  }
}

/** Milliseconds. A gateway that waits for the whole answer gives up after 29 s. */
const bufferedMsMax = 20_000
/** Time for the last bytes, before the platform ends the instance. Milliseconds. */
const spareMs = 2_000

const api = appOf(functionParts('api'))

function appFor(mostMs: number): Hono<Call> {
  const app = new Hono<Call>()
  return app.all('*', async (c) => {
    const { requestContext, lambdaContext, context = lambdaContext } = c.env
    const left = (context?.getRemainingTimeInMillis() ?? mostMs) - spareMs
    const answer = await api.fetch(c.req.raw, { address: requestContext?.http?.sourceIp ?? '' })
    return endInTime(answer, Math.min(left, mostMs))
  })
}

/** AWS Lambda behind an HTTP API or a load balancer: the answer is sent as a whole. */
export const handler = handle(appFor(bufferedMsMax))

/** AWS Lambda behind a function URL with response streaming: lists and event streams are sent piece by piece. */
export const streaming = 'awslambda' in globalThis ? streamHandle(appFor(Infinity)) : undefined
