import { describe, expect, test } from 'vitest'
import { maskDefinition } from '#lib/definition/masking/mask-definition.ts'
import { maskSpec } from '#lib/definition/masking/mask-spec.ts'
import { maskText } from '#lib/definition/masking/mask-text.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

const steps = 'steps:\n  - name: a\n    command: echo hello\n'
const hidden = 'hunter2-x9'

/** Spellings of a secret in a file. */
const spellings: readonly (readonly [string, string])[] = [
  ['a map of variables', `env:\n  DB_PASSWORD: ${hidden}\n`],
  ['a list of maps', `env:\n  - apiToken: ${hidden}\n`],
  ['a list of pairs', `env:\n  - SECRET_VALUE=${hidden} and more\n`],
  ['flow style', `env: {A: b, AWS_SECRET_ACCESS_KEY: ${hidden}}\n`],
  ['flow style in quotes', `env: ["MY_KEY=${hidden}", 'B=c']\n`],
  ['a variable of a step', `steps:\n  - name: a\n    env: [{PGPASS: ${hidden}}]\n    command: env\n`],
  ['a handler', `handlerOn:\n  exit:\n    env:\n      - TOKEN: ${hidden}\n    command: env\n`],
  ['double quotes with escapes', `env:\n  "DB_\\x50ASSWORD": "hunter\\u0032-x9"\n`],
  ['a literal block', `env:\n  PRIVATE_KEY: |\n    ${hidden}\n    second-line-of-it\n`],
  ['a folded block with a comment', `env:\n  DB_SECRET: >- # was ${hidden}\n    ${hidden}\n`],
  ['quotes over several lines', `env:\n  DB_SECRET: "first\n    ${hidden}"\n`],
  ['an anchor elsewhere', `env:\n  - A: &p ${hidden}\n  - PASSWORD: *p\n`],
  ['an alias elsewhere', `env:\n  - PASSWORD: &p ${hidden}\nsteps:\n  - name: a\n    command: *p\n`],
  ['an anchor on the list', `x-e: &e ["TOKEN=${hidden}"]\nenv: *e\n`],
  ['a merge key', `env:\n  <<: {DB_PASSWORD: ${hidden}}\n`],
  [
    'a text with another secret',
    `env: [{PASSWORD: ${hidden}}]\nx: "curl -u me:otherpw9 http://h/ -d ${hidden}"\n`,
  ],
  [
    'a block with another secret',
    `env: [{PASSWORD: ${hidden}}]\nx: |\n  curl -u me:otherpw9 h\n  echo ${hidden}\n`,
  ],
  ['an explicit key', `env:\n  ? DB_PASSWORD\n  : ${hidden}\n`],
  ['a comment beside another secret', `env:\n  - TOKEN: other-secret # before: ${hidden}\n`],
  ['a comment of an assignment', `# DB_PASSWORD=${hidden}\nname: a\n`],
  ['a comment that repeats it', `env:\n  - TOKEN: ${hidden}\n# ${hidden} is used below\n`],
  ['smtp', `smtp: {host: h, port: 25, username: u, password: ${hidden}}\n`],
  ['registries', `registryAuths:\n  ghcr.io: {username: u, password: ${hidden}}\n`],
  ['registries as JSON', `registryAuths: '{"ghcr.io": {"auth": "${btoa(`u:${hidden}`)} ${hidden}"}}'\n`],
  ['ssh', `ssh: {user: u, host: h, password: ${hidden}}\n`],
  [
    'a header',
    `steps:\n  - executor: {type: http, config: {headers: {Authorization: X ${hidden}}}}\n    command: GET u\n`,
  ],
  ['a url', `steps:\n  - name: a\n    command: psql postgres://me:${hidden}@db/x\n`],
  ['an argument', `steps:\n  - name: a\n    command: mysql --password=${hidden} x\n`],
  [
    'a header in a script',
    `steps:\n  - name: a\n    script: |\n      curl -H "Authorization: Basic ${hidden}" x\n`,
  ],
  [
    'an assignment in a script',
    `steps:\n  - name: a\n    script: |\n      set -e\n      export API_KEY=${hidden}\n      run\n`,
  ],
  ['a container', `container: {image: i, env: ["TOKEN=${hidden}"]}\n`],
  ['a local DAG', `name: a\n---\nname: b\nenv:\n  - TOKEN: ${hidden}\n`],
  ['Windows line ends', `env:\r\n  - TOKEN: ${hidden}\r\n  - B: c\r\n`],
]

const whole = (spec: string): string =>
  spec.includes('steps:') ? spec : spec.replace(/(\n---|$)/, `\n${steps}$1`)

describe.each(spellings)('a secret in %s', (_what, spec) => {
  test('is hidden in the text', () => {
    const shown = maskSpec(whole(spec))
    expect(shown).not.toContain(hidden)
    expect(shown).not.toContain('hunter')
    expect(shown).toContain('*****')
  })

  test('is hidden in the definition', () => {
    const { dag, localDags } = readSpec(whole(spec), { fileName: 'f' })
    const shown = JSON.stringify([dag, ...localDags].map(maskDefinition))
    expect(shown).not.toContain(hidden)
  })
})

test('nothing but the secrets of a text changes', () => {
  const spec = `# a nightly job\nname: nightly # at night
env:
  - DB_PASSWORD: "${hidden}" # see the safe
  - REGION: eu
  - TOKEN: \${OTHER_TOKEN}
  - KEY: $(cat /run/key)
secrets:
  - {name: API, provider: env, key: API_KEY_OF_HOST}
params: "TOKEN=visible"
steps:
  get-token:
    command: echo "$DB_PASSWORD" > out # shows it
    output: {name: TOKEN, key: token}
  next:
    script: |
      export API_KEY=${hidden}
      run --fast
`
  expect(maskSpec(spec)).toBe(
    spec
      .replace(`"${hidden}" # see the safe`, '"*****" # *****')
      .replace(`API_KEY=${hidden}`, 'API_KEY=*****'),
  )
})

test('a text without secrets stays the same', () => {
  expect(maskSpec(steps)).toBe(steps)
})

test('a text that cannot be parsed does not show its secrets', () => {
  for (const spec of [`env: [TOKEN=${hidden}`, `{{{ password: ${hidden}`, `a: "\\q ${hidden} password"`]) {
    expect(maskSpec(spec)).not.toContain(hidden)
  }
})

test('the names of steps are not masked', () => {
  const spec = `env: [{TOKEN: get-it-now}]\nsteps:\n  - name: get-it-now\n    command: echo get-it-now\n`
  const [step] = maskDefinition(readSpec(spec, { fileName: 'f' }).dag).steps
  expect(step).toMatchObject({ name: 'get-it-now', commands: ['echo *****'] })
})

test('the path of an SSH key is shown, its text is not', () => {
  const spec = (key: string) =>
    `ssh: {host: h, user: u, key: ${key}}
steps: [{name: a, executor: {type: ssh, config: {key: ${key}}}, command: x}]`
  const shown = (key: string) => JSON.stringify(maskDefinition(readSpec(spec(key), { fileName: 'f' }).dag))
  expect(shown('/keys/deploy')).toContain('"key":"/keys/deploy"')
  expect(shown('"-----BEGIN PRIVATE KEY-----\\nhunter2"')).not.toContain('hunter2')
})

const size = 1_048_576
test.each(
  [
    'a-',
    'token ',
    'token=',
    'token="',
    "token='",
    'token: ',
    '://a:',
    ' -u a:',
    '--token ',
    'token=${',
    'aB',
  ].map((piece) => [piece, piece.repeat(size / piece.length)] as const),
)('a mebibyte of %j is masked in linear time', (_piece, text) => {
  const half = timeOf(text.slice(0, size / 8))
  expect(timeOf(text)).toBeLessThan(Math.max(1_000, half * 30))
})

function timeOf(text: string): number {
  const spent = cpuTime()
  maskText(text)
  return spent()
}

test('aliases that multiply exponentially are masked within a second', () => {
  const levels = Array.from({ length: 25 }, (_, at) => `l${at + 1}: &l${at + 1} [*l${at}, *l${at}]`)
  const spent = cpuTime()
  maskSpec(`l0: &l0 [{token: ${hidden}}]\n${levels.join('\n')}\nenv: *l25\n`)
  expect(spent()).toBeLessThan(1_000)
})
