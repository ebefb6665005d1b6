import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()

const zeros = (count: number, character: string): string =>
  `head -c ${count} /dev/zero | tr '\\0' '${character}'`
const secret = join(kit.folder, 'secret')
writeFileSync(secret, `${'a'.repeat(300_000)}b`)

interface Hostile {
  readonly params?: Readonly<Record<string, string>>
  /** Sent as JSON, which is valid YAML. */
  readonly dag: object
}

/** Texts that stall a runner if any code on their way takes quadratic time or blocks for long. */
const hostile: Readonly<Record<string, Hostile>> = {
  'blanks in the request of an http step': {
    params: { P: ' '.repeat(200_000) },
    dag: { params: 'P', steps: [{ type: 'http', command: 'GET http://127.0.0.1:1/ ${P} x' }] },
  },
  'line breaks in the output of a command': {
    dag: { env: [{ V: `\`${zeros(900_000, '\\n')}; echo x\`` }], steps: [{ command: 'true' }] },
  },
  'a long line under slow patterns': {
    dag: {
      steps: [
        {
          command: "head -c 300000 /dev/urandom | od -An -tx1 -v | tr -d ' \\n' | tr 0-9a-f aaaaaaaabbbbbbbb",
          continueOn: { output: ['re:a.{400}[cd]', `${'a'.repeat(20_000)}c`] },
        },
      ],
    },
  },
  'a line of 64 MB that almost equals a secret': {
    dag: {
      secrets: [{ name: 'S', provider: 'file', key: secret }],
      steps: [{ command: zeros(64_000_000, 'a') }],
    },
  },
  'a script of eighty thousand references': {
    dag: {
      steps: [
        { command: `printf '{"k":"'; ${zeros(900_000, 'x')}; printf '"}'`, output: 'DOC' },
        { script: `# ${'${DOC.no}${DOC.k:5:1}'.repeat(40_000)}\n` },
      ],
    },
  },
  'quotes in a script': {
    dag: { steps: [{ script: `true # ${"su '$x' ".repeat(100_000)}\${A.b}\n` }] },
  },
  'tags in a mail': {
    dag: {
      smtp: { host: '127.0.0.1', port: '1' },
      steps: [
        {
          type: 'mail',
          config: { from: 'a@b.org', to: 'a@b.org', subject: 's', message: '<a'.repeat(300_000) },
        },
      ],
    },
  },
  'quotes in a filter of jq': {
    dag: { steps: [{ type: 'jq', command: '"\\'.repeat(100_000), script: 'null' }] },
  },
  'a step that repeats without an interval': {
    dag: { steps: [{ command: 'true', repeatPolicy: { repeat: true, limit: 30 } }] },
  },
  'too many items of parallel': {
    dag: {
      steps: [
        { command: "yes '\"aaaaaaaa\",' | head -n 70000 | tr -d '\\n'", output: 'LIST' },
        { call: 'nobody', parallel: '[${LIST} 1]' },
      ],
    },
  },
}

/** Measures the longest CPU time in milliseconds that this thread spends between two firings of a timer. */
function watchTurns(): { readonly longest: () => number; readonly end: () => void } {
  let longest = 0
  let start = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(start)
    longest = Math.max(longest, (user + system) / 1_000)
    start = process.threadCpuUsage()
  }, 20)
  return { longest: () => longest, end: () => clearInterval(timer) }
}

test('runs with hostile texts block their runner for at most half a second', async () => {
  const runs = await Promise.all(
    Object.entries(hostile).map(([title, { dag, params }]) =>
      kit.start(JSON.stringify(dag), { queue: title, params: params ? JSON.stringify(params) : null }),
    ),
  )
  const plain: string[] = []
  for (let count = 0; count < 30; count++) {
    plain.push(await kit.start(['steps: [{command: echo ok}]'], { queue: `plain ${count}`, priority: 1 }))
  }
  const turns = watchTurns()
  kit.runner({ slots: 20 })
  for (const run of plain) expect(await kit.finished(run)).toMatchObject({ status: 'success' })
  for (const run of runs) await kit.finished(run, 60_000)
  turns.end()
  expect(turns.longest()).toBeLessThan(500)
}, 120_000)
