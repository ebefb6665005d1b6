import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

interface Key {
  readonly id: string
  readonly secret: string
  /** When the key expires, milliseconds from now. */
  readonly endsInMs: number
}

/** Serves access keys like the agents of ECS and EKS, until the test file ends. */
export interface KeyServer {
  readonly url: string
  /** The key that it serves, or the status with which it refuses, or any other response text. */
  answer: Key | number | string
  /** The authorization header of each call. */
  readonly shown: (string | undefined)[]
}

export async function keyServer(): Promise<KeyServer> {
  const server = createServer((request, response) => {
    keys.shown.push(request.headers.authorization)
    const { answer } = keys
    if (typeof answer === 'number') response.writeHead(answer).end('{"code":"NotNow","message":"no"}')
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(bodyOf(answer)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const keys: KeyServer = { url: `http://127.0.0.1:${port}/v1/credentials`, answer: 503, shown: [] }
  return keys
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
