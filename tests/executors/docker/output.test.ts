import { PassThrough } from 'node:stream'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameSplitter, OutputPump } from '#lib/executors/docker/output.ts'

interface Frame {
  readonly isError: boolean
  readonly bytes: Uint8Array
}

function framed({ isError, bytes }: Frame): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt8(isError ? 2 : 1, 0)
  header.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([header, bytes])
}

const joined = (frames: readonly Frame[], isError: boolean): Buffer =>
  Buffer.concat(frames.filter((frame) => frame.isError === isError).map(({ bytes }) => bytes))

describe('the frames of container output', () => {
  test('are split exactly, however the connection chunks them', () => {
    const frame = fc.record({ isError: fc.boolean(), bytes: fc.uint8Array({ maxLength: 50 }) })
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.nat(20)), (frames, cuts) => {
        let rest = Buffer.concat(frames.map(framed))
        const splitter = new FrameSplitter()
        const seen: Frame[] = []
        for (const cut of [...cuts, Infinity]) {
          seen.push(...splitter.split(rest.subarray(0, cut)))
          rest = rest.subarray(cut)
        }
        expect(joined(seen, false)).toEqual(joined(frames, false))
        expect(joined(seen, true)).toEqual(joined(frames, true))
      }),
    )
  })

  test('are an error if they are malformed, not output', () => {
    expect(() => Array.from(new FrameSplitter().split(Buffer.from('plain text')))).toThrow(/cannot be read/)
  })
})

describe('the pump', () => {
  test('reads on only when the sink has accepted the last piece', async () => {
    const source = new PassThrough({ highWaterMark: 1 })
    const taken: string[] = []
    const waiting: (() => void)[] = []
    const stdout = (bytes: Uint8Array): Promise<void> => {
      taken.push(Buffer.from(bytes).toString())
      return new Promise((resolve) => waiting.push(resolve))
    }
    const pump = new OutputPump(source, { stdout, stderr: () => undefined }, true)
    for (const word of ['fig', 'plum']) source.write(framed({ isError: false, bytes: Buffer.from(word) }))
    source.end()
    await expect.poll(() => taken).toEqual(['fig'])
    waiting[0]?.()
    await expect.poll(() => taken).toEqual(['fig', 'plum'])
    waiting[1]?.()
    await pump.done
  })

  test('fails when a sink fails', async () => {
    const source = new PassThrough()
    const pump = new OutputPump(
      source,
      { stdout: () => Promise.reject(new Error('full')), stderr: () => undefined },
      false,
    )
    source.write('x')
    await expect(pump.done).rejects.toThrow('full')
    expect(source.destroyed).toBe(true)
  })

  test('does not wait for a stream that another process holds open', async () => {
    const source = new PassThrough()
    const taken: string[] = []
    const stdout = (bytes: Uint8Array): undefined => void taken.push(Buffer.from(bytes).toString())
    const pump = new OutputPump(source, { stdout, stderr: () => undefined }, false)
    source.write('last words')
    await pump.finish(20)
    expect(taken).toEqual(['last words'])
  })
})
