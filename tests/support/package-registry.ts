import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

/**
 * Serves only these packages like an npm registry, until the test file ends.
 * @param folders each has a `package.json`
 * @returns its URL
 */
export async function packageRegistry(folders: readonly string[]): Promise<string> {
  const store = temporaryFolder('millrace-registry')
  const packages = folders.map((folder, index) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly name: string
      readonly version: string
    }
    const file = join(store, `${index}.tar`)
    execFileSync('tar', ['-chf', file, '-C', dirname(folder), basename(folder)])
    return { manifest, file, path: `files/${index}.tar` }
  })
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    const packed = packages.find((one) => one.path === path)
    const found = packages.find(({ manifest }) => manifest.name === path)
    if (packed !== undefined) createReadStream(packed.file).pipe(response)
    else if (found === undefined) response.writeHead(404).end('{}')
    else {
      const { name, version } = found.manifest
      const dist = { tarball: `http://${request.headers.host}/${found.path}` }
      const versions = { [version]: { ...found.manifest, dist } }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
