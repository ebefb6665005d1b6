import { expect, test } from 'vitest'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()

test('a log that exceeds its limit keeps the head and the end of each attempt', async () => {
  kit.runner({ logBytesMax: 40_000 })
  const key = await kit.start([
    'steps:',
    '  - name: noisy',
    '    command: seq 1 20000; echo over; echo "why it failed" >&2; exit 1',
    '    retryPolicy: {limit: 1, intervalSec: 0}',
  ])
  expect(await kit.finished(key)).toMatchObject({ status: 'failed' })
  const text = await kit.log(key, 'noisy')
  expect(text.length).toBeLessThanOrEqual(40_000)
  expect(text.startsWith('1\n2\n3\n')).toBe(true)
  expect(text.match(/^over$/gm)).toHaveLength(2)
  expect(text.match(/^\[\d+ bytes are omitted here\]$/gm)).toHaveLength(2)
  expect(text.endsWith('\n19999\n20000\nover\n')).toBe(true)
  expect(await kit.log(key, 'noisy', 'stderr')).toBe('why it failed\nwhy it failed\n')
})
