import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRegularFile, type Opening } from '#lib/files/open-regular-file.ts'
import { openOutputFile } from '#lib/files/output-file.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'open-file-')))
const at = (name: string): string => join(folder, name)
const server = createServer()

beforeAll(async () => {
  execFileSync('mkfifo', [at('fifo')])
  symlinkSync(at('fifo'), at('to-fifo'))
  symlinkSync(at('loop'), at('loop'))
  mkdirSync(at('sub'))
  writeFileSync(at('plain'), 'plain')
  symlinkSync('plain', at('to-plain'))
  symlinkSync('new', at('to-new'))
  await new Promise<void>((resolve) => server.listen(at('socket'), resolve))
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const accesses = ['read', 'append', 'write'] as const

describe.each(accesses)('for access %s', (access) => {
  const opening: Opening = { what: 'stdout', access }

  test.each([
    [at('fifo'), 'is a FIFO'],
    [at('to-fifo'), 'is a FIFO'],
    [at('loop'), 'is a link that leads to itself'],
    [at('sub'), 'is a folder'],
    [at('socket'), 'is a socket'],
    ['/dev/zero', 'is a device'],
    ['/dev/full', 'is a device'],
    ['/dev/tty', 'is a device'],
    ['/dev/stdin', 'is '],
    ['/dev/fd/0', 'is '],
    ['/proc/self/mem', 'is a kernel file'],
    ['/proc/self/environ', 'is a kernel file'],
    ['/proc/kmsg', 'is a kernel file'],
    ['/sys/kernel/uevent_seqnum', 'is a kernel file'],
    [at('a\0b'), 'has a NUL in its name'],
    [at('x'.repeat(300)), 'has a name that is too long'],
    [at('y/'.repeat(2_500)), 'has a name that is too long'],
    [at('plain/below'), 'is below something that is not a folder'],
    [at('none/below'), 'does not exist'],
  ])('%s is refused: it %s', (path, why) => {
    expect(() => openRegularFile(path, opening)).toThrow(`stdout: ${path.slice(0, 20).replace('\0', '\\0')}`)
    expect(() => openRegularFile(path, opening)).toThrow(why)
  })

  test('a file is opened, also through a link', () => {
    for (const name of ['plain', 'to-plain']) closeSync(openRegularFile(at(name), opening))
    writeFileSync(at('plain'), 'plain')
  })

  test('a link is refused when links must not be followed', () => {
    expect(() => openRegularFile(at('to-plain'), { ...opening, followsLinks: false })).toThrow('is a link')
  })
})

test('a missing file is created, also through a link', () => {
  const file = openRegularFile(at('to-new'), { what: 'stdout', access: 'append', mode: 0o600 })
  writeSync(file, 'text')
  closeSync(file)
  expect(readFileSync(at('new'), 'utf8')).toBe('text')
})

test('a bound applies to the target of a link, and nothing is created outside of it', () => {
  const bounds = [{ folders: [at('sub')], fault: 'is outside' }]
  const opening: Opening = { what: 'stdout', access: 'append', bounds }
  symlinkSync('../made-by-link', at('sub/out'))
  symlinkSync('..', at('sub/up'))
  for (const path of [at('plain'), at('sub/out'), at('sub/up/made'), at('sub/../made')]) {
    expect(() => openRegularFile(path, opening)).toThrow('is outside')
  }
  expect(() => openOutputFile(at('sub/up/deep/er/made'), opening)).toThrow('is outside')
  expect(() => readFileSync(at('made-by-link'))).toThrow('ENOENT')
  expect(() => readFileSync(at('made'))).toThrow('ENOENT')
  expect(() => readFileSync(at('deep'))).toThrow('ENOENT')
  closeSync(openRegularFile(at('sub/within'), opening))
})

test('a small file is read whole, a larger one is refused', () => {
  writeFileSync(at('ten'), '0123456789')
  expect(readSmallFile(at('ten'), { what: 'dotenv', bytesMax: 10 }).toString()).toBe('0123456789')
  expect(() => readSmallFile(at('ten'), { what: 'dotenv', bytesMax: 9 })).toThrow('is larger than 9 bytes')
})

test('output is appended in order', async () => {
  const file = openOutputFile(at('made/out'), { what: 'stdout' })
  await Promise.all(['a', 'b', 'c'].map((text) => file.write(Buffer.from(text))))
  await file.close()
  const more = openOutputFile(at('made/out'), { what: 'stdout' })
  await more.write(Buffer.from('d'))
  await more.close()
  expect(readFileSync(at('made/out'), 'utf8')).toBe('abcd')
})
