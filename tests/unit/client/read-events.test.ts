import { expect, test } from 'vitest'
import { readEvents, type ReceivedEvent } from '#lib/client/read-events.ts'

async function read(stream: ReadableStream<Uint8Array>): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  for await (const event of readEvents(stream)) events.push(event)
  return events
}

const lines = 'id: 1\nevent: lines\ndata: {"lines":["ä: b","\\n"]}\n\n'
const text = `retry: 1000\n\n${lines}:\n\nid: 1-7\nevent: end\ndata: {}\n\nid: 2\nda`

test.each([1, 2, 3, 7, 1_000])('events are parsed whole when %i bytes arrive at a time', async (size) => {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  )
  expect(await read(ReadableStream.from(pieces))).toEqual([
    { id: '1', event: 'lines', data: { lines: ['ä: b', '\n'] } },
    { id: '1-7', event: 'end', data: {} },
  ])
})

test('a reader that stops closes the stream', async () => {
  let isClosed = false
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from('id: 1\ndata: 1\n\n')),
    cancel: () => {
      isClosed = true
    },
  })
  for await (const { data } of readEvents(stream)) {
    expect(data).toBe(1)
    break
  }
  expect(isClosed).toBe(true)
})

test('a broken connection is reported', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error('broken')),
  })
  await expect(read(broken)).rejects.toThrow('broken')
})
