import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '#lib/config/settings/all.ts'
import { cleanEnvironment } from '#lib/runner/inputs/clean-environment.ts'
import { readDotenvFiles } from '#lib/runner/inputs/dotenv-files.ts'
import { masked } from '#lib/runner/log/mask.ts'
import { processEnvironment } from '#lib/runner/inputs/process-environment.ts'
import { readSecrets } from '#lib/runner/inputs/secrets.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const folder = (): string => temporaryFolder('runner-test')

describe('the environment that steps inherit', () => {
  test('has the variables that programs need, and none of the service', () => {
    const environment = {
      PATH: '/bin',
      HOME: '/home/x',
      LC_ALL: 'C',
      DAG_COLOUR: 'red',
      DATABASE_URL: 'postgres://secret',
      MILLRACE_API_KEY: 'secret',
      PGPASSWORD: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      EMPTY: undefined,
    }
    expect(cleanEnvironment(environment)).toEqual({
      PATH: '/bin',
      HOME: '/home/x',
      LC_ALL: 'C',
      DAG_COLOUR: 'red',
    })
  })
})

describe('the environment of a process', () => {
  test('omits variables that an environment cannot hold', () => {
    const variables: [string, string][] = [
      ['GOOD', 'yes'],
      ['A=B', 'no'],
      ['', 'no'],
      ['NUL', 'a\0b'],
      ['LONG', 'x'.repeat(140_000)],
    ]
    expect(processEnvironment(variables)).toEqual({ GOOD: 'yes', NUL: 'ab' })
  })

  test('omits a variable whose later value is too long', () => {
    expect(
      processEnvironment([
        ['A', 'old'],
        ['A', 'x'.repeat(140_000)],
      ]),
    ).toEqual({})
  })

  test('drops the longest values when all together are too much', () => {
    const variables = Array.from({ length: 20 }, (_, n): [string, string] => [
      `V${n}`,
      'x'.repeat(100_000 + n),
    ])
    const environment = processEnvironment([['SMALL', 'kept'], ...variables])
    expect(environment['SMALL']).toBe('kept')
    expect(Object.values(environment).join('').length).toBeLessThan(1_500_000)
    expect(environment['V0']).toBeDefined()
    expect(environment['V19']).toBeUndefined()
  })
})

describe('dotenv files', () => {
  test('.env is read first, listed files override it, and missing files are skipped', () => {
    const workingDir = folder()
    writeFileSync(join(workingDir, '.env'), 'A=1\nB="two words"\n# remark\nexport C=\'x $y\'\n')
    writeFileSync(join(workingDir, 'more.env'), 'A=2\n')
    expect(readDotenvFiles(['more.env', 'none.env'], workingDir, [])).toEqual(
      new Map([
        ['A', '2'],
        ['B', 'two words'],
        ['C', 'x $y'],
      ]),
    )
  })

  test('a file that is far too large is refused', () => {
    const workingDir = folder()
    writeFileSync(join(workingDir, '.env'), 'A='.padEnd(1_100_000, 'x'))
    expect(() => readDotenvFiles([], workingDir, [])).toThrow('larger than')
  })
})

describe('secrets', () => {
  test('come from the environment of the runner and from files', () => {
    const workingDir = folder()
    writeFileSync(join(workingDir, 'key'), 'from file\n')
    const secrets = readSecrets(
      [
        { name: 'ONE', provider: 'env', key: 'TOKEN' },
        { name: 'TWO', provider: 'file', key: 'key' },
      ],
      { environment: { TOKEN: 'from env' }, workingDir, bounds: [] },
    )
    expect(secrets).toEqual(
      new Map([
        ['ONE', 'from env'],
        ['TWO', 'from file'],
      ]),
    )
  })

  test.each([
    ...Object.keys(settings),
    'MILLRACE_OLD_SETTING',
    'PGPASSWORD',
    'DOCKER_AUTH_CONFIG',
    'AWS_SECURITY_TOKEN',
    'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  ])('%s, a setting of the service, is refused whether it is set or not', (key) => {
    for (const environment of [{ [key]: 'value' }, {}]) {
      const sources = { environment, workingDir: '/', bounds: [] }
      expect(() => readSecrets([{ name: 'S', provider: 'env', key }], sources)).toThrow(
        `secret S: ${key} is a setting of the service`,
      )
    }
  })

  test('are limited in total size, because each is searched for in every output', () => {
    const workingDir = folder()
    writeFileSync(join(workingDir, 'half'), 'x'.repeat(600_000))
    const half = (name: string) => ({ name, provider: 'file', key: 'half' }) as const
    const sources = { environment: {}, workingDir, bounds: [] }
    expect(readSecrets([half('ONE')], sources).size).toBe(1)
    expect(() => readSecrets([half('ONE'), half('TWO')], sources)).toThrow(
      'secret TWO: the secrets of the DAG are larger than 1048576 characters together',
    )
  })

  test('a missing variable is named', () => {
    const sources = { environment: {}, workingDir: '/', bounds: [] }
    expect(() => readSecrets([{ name: 'S', provider: 'env', key: 'UNSET' }], sources)).toThrow(
      'secret S: no variable UNSET on this runner',
    )
  })

  test('a missing file is named', () => {
    const sources = { environment: {}, workingDir: folder(), bounds: [] }
    expect(() => readSecrets([{ name: 'S', provider: 'file', key: 'none' }], sources)).toThrow(
      `secret S: ${sources.workingDir}/none does not exist`,
    )
  })

  test.each([
    ['/dev/zero', 'is a device'],
    ['large', 'is larger than 1048576 bytes'],
  ])('%s is refused: it %s', (key, why) => {
    const workingDir = folder()
    writeFileSync(join(workingDir, 'large'), 'x'.repeat(1_100_000))
    const sources = { environment: {}, workingDir, bounds: [] }
    expect(() => readSecrets([{ name: 'S', provider: 'file', key }], sources)).toThrow(why)
  })

  test('are replaced in texts; empty ones replace nothing', () => {
    expect(masked('the key is k3y, k3y!', ['k3y', ''])).toBe('the key is *******, *******!')
  })

  test('a secret that is a prefix of another leaves nothing of the longer one', () => {
    expect(masked('the key is k3y-long', ['k3y', 'k3y-long'])).toBe('the key is *******')
  })
})
