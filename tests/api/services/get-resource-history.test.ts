import { describe, expect, test } from 'vitest'
import { createResources } from '#lib/api/metrics/resources.ts'
import { presentSamples } from '#lib/api/present/resources.ts'
import { limits } from '#lib/core/limits.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const resources = ['cpu', 'memory', 'disk', 'load'] as const

describe('200', () => {
  test('the first call already has one sample of each resource', async () => {
    const { status, body } = await api.get<Record<string, { timestamp: number; value: number }[]>>(
      '/services/resources/history?duration=10m',
    )
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(resources)
    const now = Date.now() / 1_000
    for (const resource of resources) {
      const [sample, ...others] = body[resource] ?? []
      expect(others).toEqual([])
      expect(sample?.value).toBeGreaterThanOrEqual(0)
      expect(sample?.value).toBeLessThanOrEqual(resource === 'load' ? 10_000 : 100)
      expect(Math.abs(now - (sample?.timestamp ?? 0))).toBeLessThan(60)
    }
  })
})

describe('400 bad_request', () => {
  test.each(['1', 'h', '0s', '-1h', '1d', '9999999s'])('the duration %s', async (duration) => {
    expect(await api.get(`/services/resources/history?duration=${duration}`)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', details: { fields: ['duration'] } },
    })
  })
})

describe('samples', () => {
  test('are taken on request, no more often than the limit, and kept for an hour', async () => {
    let at = 1_000_000
    const { read } = createResources(() => at)
    expect(await read()).toHaveLength(1)
    at += limits.resourceSampleMs - 1
    expect(await read()).toHaveLength(1)
    at += 1
    expect((await read()).map((sample) => sample.at)).toEqual([
      1_000_000,
      1_000_000 + limits.resourceSampleMs,
    ])
    for (let more = 0; more < limits.resourceSamplesMax; more++) {
      at += limits.resourceSampleMs
      await read()
    }
    expect(await read()).toHaveLength(limits.resourceSamplesMax)
  })

  test('of concurrent calls are one', async () => {
    const { read } = createResources(() => 5)
    const [, second] = await Promise.all([read(), read()])
    expect(second).toHaveLength(1)
  })

  test('older than the duration are left out', () => {
    const sample = (at: number) => ({ at, cpu: 1, memory: 2, disk: 3, load: 4 })
    const shown = presentSamples([sample(1_000), sample(40_000), sample(60_500)], '30s')
    expect(shown).toEqual({
      cpu: [
        { timestamp: 40, value: 1 },
        { timestamp: 60, value: 1 },
      ],
      memory: [expect.objectContaining({ value: 2 }), expect.anything()],
      disk: [expect.objectContaining({ value: 3 }), expect.anything()],
      load: [expect.objectContaining({ value: 4 }), expect.anything()],
    })
    expect(presentSamples([sample(1_000), sample(60_500)], '1m').cpu).toHaveLength(2)
    expect(presentSamples([sample(1_000), sample(3_600_500)], '1h').cpu).toHaveLength(2)
  })
})
