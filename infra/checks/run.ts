import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const module = (path: string): string => `node_modules/${path}`

/** Without `web`, which has its own lint rules. */
const folders = ['functions', 'lib', 'local', 'infra', 'tests']

/** The checks, with how to repair their findings. All of them always run, so that one call reports every fault. */
const checks: readonly { name: string; args: readonly string[]; repair: string }[] = [
  { name: 'types', args: [module('typescript/bin/tsc'), '--noEmit'], repair: 'by hand' },
  {
    name: 'types of the page',
    args: [module('typescript/bin/tsc'), '--noEmit', '-p', 'web'],
    repair: 'by hand',
  },
  {
    name: 'lint',
    args: [module('oxlint/bin/oxlint'), '-c', 'infra/checks/oxlint.json', ...folders],
    repair: 'npm run fix',
  },
  {
    name: 'lint of the page',
    args: [module('oxlint/bin/oxlint'), '-c', 'infra/checks/oxlint-web.json', 'web'],
    repair: 'npm run fix',
  },
  {
    name: 'format',
    args: [module('oxfmt/bin/oxfmt'), '-c', 'infra/checks/oxfmt.json', '--check'],
    repair: 'npm run fix',
  },
  {
    name: 'dead code',
    args: [module('knip/bin/knip.js'), '-c', 'infra/checks/knip.json'],
    repair: 'use it, stop exporting it, or delete it',
  },
  {
    name: 'tidy rules',
    args: [
      module('vitest/vitest.mjs'),
      'run',
      '--config',
      'tests/tidy/vitest.config.ts',
      '--reporter=dot',
      '--no-color',
    ],
    repair: 'npm run fix, then by hand',
  },
]

interface Outcome {
  readonly isGood: boolean
  readonly output: string
}

function run(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const output: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => output.push(piece))
    child.stderr.on('data', (piece: Buffer) => output.push(piece))
    child.on('error', (error) => resolve({ isGood: false, output: error.message }))
    child.on('close', (code) => resolve({ isGood: code === 0, output: Buffer.concat(output).toString() }))
  })
}

const outcomes = await Promise.all(checks.map(async (check) => ({ ...check, ...(await run(check.args)) })))
const failed = outcomes.filter(({ isGood }) => !isGood)
const findings = failed.map(({ name, output }) => `== ${name}\n${output.trim()}\n\n`)
const summary = outcomes.map(({ name, isGood, repair }) =>
  isGood ? `ok      ${name}\n` : `FAILED  ${name} (${repair})\n`,
)
process.stdout.write([...findings, ...summary].join(''))
process.exitCode = failed.length === 0 ? 0 : 1
