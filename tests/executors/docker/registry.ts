import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Registry {
  /** `127.0.0.1:port`: engines talk plain HTTP to a registry on this machine. */
  readonly host: string
  /** Downloads of manifests so far. */
  readonly pulls: () => number
  /** From now on no layer arrives; settles when the first one is asked for. */
  readonly stall: () => Promise<void>
  readonly close: () => Promise<void>
}

/** An in-memory image registry for one user: the part of the protocol that engines need to push and to pull. */
export async function startRegistry(username: string, password: string): Promise<Registry> {
  const blobs = new Map<string, Buffer>()
  const uploads = new Map<string, Buffer>()
  const manifests = new Map<string, { type: string; body: Buffer }>()
  let pulls = 0
  let stalled: (() => void) | undefined
  const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

  const digestOf = (body: Buffer): string => `sha256:${createHash('sha256').update(body).digest('hex')}`
  const readBody = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat(await request.toArray())

  const answerManifest = async (
    request: IncomingMessage,
    answer: ServerResponse,
    name: string,
  ): Promise<void> => {
    if (request.method === 'PUT') {
      const body = await readBody(request)
      const manifest = { type: request.headers['content-type'] ?? '', body }
      manifests.set(name, manifest)
      manifests.set(name.replace(/[^/]+$/, digestOf(body)), manifest)
      answer.writeHead(201, { 'Docker-Content-Digest': digestOf(body) }).end()
      return
    }
    const found = manifests.get(name)
    if (found === undefined) return void answer.writeHead(404).end()
    pulls += 1
    const headers = { 'Content-Type': found.type, 'Docker-Content-Digest': digestOf(found.body) }
    answer.writeHead(200, { ...headers, 'Content-Length': found.body.length })
    answer.end(request.method === 'HEAD' ? undefined : found.body)
  }

  const answerUpload = async (request: IncomingMessage, answer: ServerResponse, url: URL): Promise<void> => {
    const id = request.method === 'POST' ? randomUUID() : (url.pathname.split('/').at(-1) ?? '')
    const body = Buffer.concat([uploads.get(id) ?? Buffer.alloc(0), await readBody(request)])
    const folder = url.pathname.replace(/\/uploads\/.*$/, '/uploads/')
    uploads.set(id, body)
    const digest = url.searchParams.get('digest')
    if (request.method === 'PUT' && digest !== null) {
      blobs.set(digest, body)
      answer.writeHead(201, { 'Docker-Content-Digest': digest }).end()
      return
    }
    const range = `0-${Math.max(0, body.length - 1)}`
    answer.writeHead(202, { Location: `${folder}${id}`, Range: range, 'Docker-Upload-UUID': id }).end()
  }

  const answerBlob = (request: IncomingMessage, answer: ServerResponse, digest: string): void => {
    const found = blobs.get(digest)
    if (found === undefined) return void answer.writeHead(404).end()
    answer.writeHead(200, { 'Content-Length': found.length, 'Docker-Content-Digest': digest })
    if (request.method === 'GET' && stalled !== undefined) {
      answer.flushHeaders()
      stalled()
      return
    }
    answer.end(request.method === 'HEAD' ? undefined : found)
  }

  const server = createServer((request, answer) => {
    const url = new URL(request.url ?? '/', 'http://registry')
    if (request.headers.authorization !== wanted) {
      answer.writeHead(401, { 'WWW-Authenticate': 'Basic realm="registry"' }).end()
      return
    }
    const [, manifest] = /^\/v2\/(.+\/manifests\/[^/]+)$/.exec(url.pathname) ?? []
    const [, digest] = /\/blobs\/(sha256:[0-9a-f]+)$/.exec(url.pathname) ?? []
    if (manifest !== undefined) void answerManifest(request, answer, manifest)
    else if (digest !== undefined) answerBlob(request, answer, digest)
    else if (url.pathname.includes('/blobs/uploads/')) void answerUpload(request, answer, url)
    else answer.writeHead(url.pathname === '/v2/' ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    pulls: () => pulls,
    stall: () =>
      new Promise((resolve) => {
        stalled = resolve
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
