import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { Definition } from '#lib/definition/definition.ts'
import { resolveInputs } from '#lib/runner/inputs/run-inputs.ts'
import type { RunInputs } from '#lib/runs/claim/claim-runs.ts'

function inputsOf(
  definition: Partial<Pick<Definition, 'env' | 'params' | 'workingDir'>>,
  given?: string,
): Promise<RunInputs> {
  const whole = {
    env: [],
    secrets: [],
    params: [],
    workingDir: undefined,
    ...definition,
  } as unknown as Definition
  return resolveInputs({
    definition: whole,
    given,
    inherited: new Map([['PATH', process.env['PATH'] ?? '']]),
    defaultWorkingDir: tmpdir(),
    context: { signal: new AbortController().signal, cleanUpMs: 1_000, onProcessGroup: () => undefined },
  })
}

describe('the inputs of a run', () => {
  test('entries of the environment refer to earlier ones, params to both', async () => {
    const inputs = await inputsOf({
      env: [
        { name: 'BASE', value: '/srv' },
        { name: 'CACHE', value: '${BASE}/cache' },
        { name: 'LATE', value: 'x-${P}' },
      ],
      params: [
        { name: 'P', value: '${CACHE}/p' },
        { name: 'Q', value: '$P/q' },
      ],
    })
    expect(inputs.env).toEqual([
      { name: 'BASE', value: '/srv' },
      { name: 'CACHE', value: '/srv/cache' },
      { name: 'LATE', value: 'x-' },
    ])
    expect(inputs.params).toEqual([
      { name: 'P', value: '/srv/cache/p' },
      { name: 'Q', value: '/srv/cache/p/q' },
    ])
  })

  test('defaults may be the output of a command, given values are data', async () => {
    const params = [{ name: 'MADE', value: '`echo built here`' }]
    expect((await inputsOf({ params })).params).toEqual([{ name: 'MADE', value: 'built here' }])
    const given = JSON.stringify({ MADE: '`echo no` $(echo no) $PATH' })
    expect((await inputsOf({ params }, given)).params).toEqual([
      { name: 'MADE', value: '`echo no` $(echo no) $PATH' },
    ])
  })

  test('the working directory is relative to the default one', async () => {
    expect((await inputsOf({})).workingDir).toBe(tmpdir())
    expect((await inputsOf({ workingDir: 'a/b' })).workingDir).toBe(`${tmpdir()}/a/b`)
    const env = [{ name: 'PLACE', value: '/data' }]
    expect((await inputsOf({ env, workingDir: '${PLACE}/in' })).workingDir).toBe('/data/in')
  })

  test('a failing command substitution is reported', async () => {
    const failing = inputsOf({ env: [{ name: 'A', value: '`echo oops >&2; exit 3`' }] })
    await expect(failing).rejects.toThrow(
      'command substitution `echo oops >&2; exit 3` failed: exit status 3: oops',
    )
  })
})
