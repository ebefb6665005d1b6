import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { everybody } from '#lib/api/auth/auth.ts'
import { createEventStreams, EventStream } from '#lib/api/streams/event-stream.ts'
import { listen } from '#local/listen.ts'

const line = 'x'.repeat(1_000_000)

test('a client that stops reading a stream is disconnected', { timeout: 20_000 }, async () => {
  const ended = Promise.withResolvers<void>()
  const serve = createEventStreams(new AbortController().signal, () => ({
    lost: new AbortController().signal,
    release: () => undefined,
  }))
  const endless = new EventStream(async function* (signal) {
    signal.addEventListener('abort', () => {
      ended.resolve()
    })
    for (let id = 0; ; id++) yield { id: String(await Promise.resolve(id)), event: 'lines', data: line }
  })
  const address = { host: '127.0.0.1', port: 0, trustedProxies: [] }
  const call = { caller: everybody, sharer: undefined }
  const served = await listen(() => serve(endless, call), address, { stalledMsMax: 300 })
  const { hostname, port } = new URL(served.url)
  const caller = connect(Number(port), hostname).pause()
  await once(caller, 'connect')
  caller.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect(ended.promise).resolves.toBeUndefined()
  caller.destroy()
  await served.close()
})
