import { expect, test } from 'vitest'
import { fitParams } from '#lib/definition/params/fit-params.ts'

const scope = { variables: new Map<string, string>(), positional: [], steps: new Map() }

test('a run that was started from SQL takes at most 1000 params', async () => {
  const fit = async (count: number) =>
    fitParams(
      { params: [], paramsSchema: undefined, env: [], secrets: [] },
      'x '.repeat(count),
      scope,
      () => {
        throw new Error('no default has a command')
      },
    )
  expect(await fit(1_000)).toHaveLength(1_000)
  await expect(fit(1_001)).rejects.toThrow('params: 1001 are given, and a run takes at most 1000')
})
