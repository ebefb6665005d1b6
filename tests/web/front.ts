import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
}

interface Front {
  /** Removed from the path before a request is passed on, such as `/tools/millrace`. */
  readonly prefix?: string
  /** Serves files like a bucket, with `index.html` for missing ones. Absent: everything is passed on. */
  readonly bucket?: string
}

/** Starts a proxy in front of the API that adds a path prefix, or that serves a bucket on the same origin. */
export async function startFront(api: string, { prefix = '', bucket }: Front) {
  const server = createServer((asked, answer) => {
    const path = (asked.url ?? '').slice(prefix.length)
    if (!(asked.url ?? '').startsWith(prefix)) answer.writeHead(404).end()
    else if (bucket === undefined || path.startsWith('/api/')) passOn(new URL(path, api), asked, answer)
    else sendFile(bucket, path, answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function passOn(target: URL, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = asked
  const passed = request(target, { method, headers }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers)
    got.pipe(answer)
  })
  passed.on('error', () => answer.destroy())
  answer.on('close', () => passed.destroy())
  asked.pipe(passed)
}

function sendFile(bucket: string, path: string, answer: ServerResponse): void {
  const wanted = join(bucket, new URL(path, 'http://bucket').pathname)
  const file = extname(wanted) !== '' && existsSync(wanted) ? wanted : join(bucket, 'index.html')
  answer.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
  answer.end(readFileSync(file))
}
