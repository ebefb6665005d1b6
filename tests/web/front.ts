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
  /** Taken away before a request is passed on, as `/tools/millrace`. */
  readonly prefix?: string
  /** Files that are served as a bucket serves them: what it does not have is `index.html`. Absent: all is passed on. */
  readonly bucket?: string
}

/** What comes before the API: a proxy below whose path it is shown, or one that shares its origin with a bucket. */
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

function passOn(place: URL, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = asked
  const passed = request(place, { method, headers }, (got) => {
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
