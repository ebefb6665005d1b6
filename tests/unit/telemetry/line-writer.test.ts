import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { LineWriter } from '#lib/telemetry/line-writer.ts'
import { until } from '#tests/support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'line-writer-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { O_RDONLY, O_NONBLOCK } = constants

/** A pipe as a shell makes one: writing to it waits while nobody reads. */
function pipe(name: string): {
  readonly write: number
  readonly read: () => string
  readonly close: () => void
} {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  const reader = openSync(path, O_RDONLY | O_NONBLOCK)
  const write = openSync(path, 'w')
  const room = Buffer.alloc(65_536)
  return {
    write,
    read: () => {
      try {
        return room.subarray(0, readSync(reader, room)).toString()
      } catch {
        return ''
      }
    },
    close: () => {
      for (const file of [reader, write]) closeSync(file)
    },
  }
}

const lineOf = (number: number): string => `${number} ${'x'.repeat(990)}\n`

test('a reader that stops never makes the writer wait, and learns later how many lines it missed', async () => {
  const { write, read, close } = pipe('stalled')
  const writer = new LineWriter(write)
  const reported: number[] = []
  writer.onReturn((dropped) => {
    reported.push(dropped)
    writer.write(`dropped ${dropped}\n`)
  })
  const count = 5_000
  for (let number = 0; number < count; number++) writer.write(lineOf(number))
  expect(writer.dropped).toBeGreaterThan(count - (limits.unreadLogBytesMax + 65_536) / 990)
  const dropped = writer.dropped
  let seen = ''
  await until('everything kept is read', () => {
    seen += read()
    return seen.includes('dropped ')
  })
  const lines = seen.trimEnd().split('\n')
  expect(lines.slice(0, -1).map((line) => `${line}\n`)).toEqual(
    Array.from({ length: count - dropped }, (_, number) => lineOf(number)),
  )
  expect(lines.at(-1)).toBe(`dropped ${dropped}`)
  expect(reported).toEqual([dropped])
  expect(writer.dropped).toBe(dropped)
  close()
})

test('a flush waits a bounded time for a reader, and not at all when everything is read', async () => {
  const { write, read, close } = pipe('end')
  const writer = new LineWriter(write)
  writer.write('first\n')
  await writer.flush(60_000)
  expect(read()).toBe('first\n')
  for (let number = 0; number < 100; number++) writer.write(lineOf(number))
  const begun = performance.now()
  await writer.flush(50)
  expect(performance.now() - begun).toBeLessThan(5_000)
  const flushed = writer.flush(60_000)
  await until('it is read', () => {
    read()
    return Promise.race([
      flushed.then(() => true),
      new Promise<false>((resolve) => setImmediate(() => resolve(false))),
    ])
  })
  close()
})

test('a reader that is gone is not an error', () => {
  const { write, close } = pipe('gone')
  const writer = new LineWriter(write)
  writer.write('first\n')
  close()
  for (let number = 0; number < 3; number++) writer.write('more\n')
  expect(writer.dropped).toBe(0)
})

test('a line is appended to a file at once, after the lines of other writers', () => {
  const path = join(folder, 'file')
  const [one, other] = [openSync(path, 'a'), openSync(path, 'a')]
  const [first, second] = [new LineWriter(one), new LineWriter(other)]
  first.write('a\n')
  second.write('b\n')
  first.write('c\n')
  expect(readFileSync(path, 'utf8')).toBe('a\nb\nc\n')
  closeSync(one)
  closeSync(other)
})
