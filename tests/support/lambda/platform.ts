import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { startBundle, type Running } from '../built.ts'

const runtime = new URL('runtime.mjs', import.meta.url).pathname

/** A function of AWS Lambda: called with events, which instances handle that live for several calls. */
export interface LambdaFunction {
  /** Calls the function. @returns the body as it arrives @throws the error of the function */
  readonly call: (event: unknown, timeoutMs?: number) => Promise<AsyncIterable<Buffer>>
  /** Ends the instance, so that a fresh one answers the next call. */
  readonly endInstance: () => Promise<void>
  /** The instance that answers calls now. */
  readonly instance: () => Running
}

interface Call {
  readonly id: string
  readonly event: unknown
  readonly deadline: number
  readonly answer: PromiseWithResolvers<AsyncIterable<Buffer>>
}

/** Serves the Runtime API of Lambda on a local port, and starts the instances. */
export async function lambdaFunction(
  /** `/path/to/index.handler`. */
  handlerPath: string,
  settings: Readonly<Record<string, string>>,
  cwd: string,
): Promise<LambdaFunction> {
  const waiting: Call[] = []
  const answering = new Map<string, Call>()
  let poll: ServerResponse | undefined
  let instance: Running | undefined

  function handOut(): void {
    if (poll === undefined || waiting.length === 0) return
    const [call] = waiting.splice(0, 1)
    if (call === undefined) return
    answering.set(call.id, call)
    poll.setHeader('lambda-runtime-aws-request-id', call.id)
    poll.setHeader('lambda-runtime-deadline-ms', call.deadline)
    poll.end(JSON.stringify(call.event))
    poll = undefined
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [id = '', what] = (request.url ?? '').split('/').slice(4)
    if (id === 'next') {
      poll = response
      return handOut()
    }
    const call = answering.get(id)
    if (what === 'response') call?.answer.resolve(request)
    else call?.answer.reject(new Error((await request.toArray()).join('')))
    if (!request.readableEnded) await once(request, 'end')
    response.writeHead(202).end()
  }

  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await instance?.kill()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  const env = { ...settings, _HANDLER: handlerPath, AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}` }
  const start = (): Running => startBundle(runtime, env, { cwd })

  return {
    call: (event, timeoutMs = 30_000) => {
      instance ??= start()
      const answer = Promise.withResolvers<AsyncIterable<Buffer>>()
      waiting.push({ id: randomUUID(), event, deadline: Date.now() + timeoutMs, answer })
      handOut()
      void instance.exit.then(() => answer.reject(new Error(`the instance ended:\n${instance?.output()}`)))
      return answer.promise
    },
    endInstance: async () => {
      await instance?.kill()
      instance = undefined
      poll = undefined
    },
    instance: () => (instance ??= start()),
  }
}
