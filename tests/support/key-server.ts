import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

interface Key {
  readonly id: string
  readonly secret: string
  /** Milliseconds from now. */
  readonly endsInMs: number
}

/** Tells keys as the agents of ECS and EKS do, until the test file ends. */
export interface KeyServer {
  readonly url: string
  /** What it tells; or the status that it refuses with, or any other text. */
  answer: Key | number | string
  /** What was shown to it, a call each. */
  readonly shown: (string | undefined)[]
}

export async function keyServer(): Promise<KeyServer> {
  const server = createServer((request, response) => {
    told.shown.push(request.headers.authorization)
    const { answer } = told
    if (typeof answer === 'number') response.writeHead(answer).end('{"code":"NotNow","message":"no"}')
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(bodyOf(answer)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const told: KeyServer = { url: `http://127.0.0.1:${port}/v1/credentials`, answer: 503, shown: [] }
  return told
}

function bodyOf({ id, secret, endsInMs }: Key): unknown {
  const Expiration = new Date(Date.now() + endsInMs).toISOString().replace(/\.\d+/, '')
  return {
    RoleArn: 'arn:of:it',
    AccessKeyId: id,
    SecretAccessKey: secret,
    Token: `session of ${id}`,
    Expiration,
  }
}
