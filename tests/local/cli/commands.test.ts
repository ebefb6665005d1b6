import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commands } from '#local/cli/commands.ts'
import { completions } from '#local/cli/completions.ts'
import { helpOf } from '#local/cli/help.ts'
import { slotsOf } from '#local/cli/read-words.ts'
import { documents, millrace } from '#tests/support/command-line.ts'

const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')

describe('the list of commands', () => {
  test('has unique names, and no option shadows a common one', () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length)
    for (const { options } of commands) {
      expect(Object.keys(options)).not.toContain('json')
      expect(Object.keys(options)).not.toContain('help')
      const shorts = Object.values(options).flatMap(({ short }) => short ?? [])
      expect(new Set([...shorts, 'h']).size).toBe(shorts.length + 1)
    }
  })

  test('equals the table in docs/cli.md', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'))
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
    expect(cells.map(([, name, summary]) => [name, summary])).toEqual(
      commands.map(({ name, summary }) => [`\`${name}\``, summary]),
    )
  })

  test.each(commands.map((command) => [command.name, command] as const))(
    '%s has help that names its arguments and options, and is completed in every shell',
    (name, command) => {
      const help = helpOf(command)
      expect(help).toContain(`millrace ${name}`)
      expect(help).toContain(command.summary)
      for (const slot of command.usage.flatMap(slotsOf)) expect(help).toContain(slot)
      for (const [option, { about }] of Object.entries(command.options)) {
        expect(about).not.toBe('')
        expect(help).toContain(`--${option}`)
        expect(completions.bash(commands)).toContain(`--${option}`)
        expect(completions.zsh(commands)).toContain(`'--${option}:`)
        expect(completions.fish(commands)).toContain(`__fish_seen_subcommand_from ${name}' -l ${option}`)
      }
      expect(completions.bash(commands)).toContain(`    ${name}) words=`)
      expect(completions.zsh(commands)).toContain(`'${name}:${command.summary}'`)
      expect(completions.fish(commands)).toContain(`__fish_use_subcommand -a ${name} -d`)
    },
  )
})

describe('help', () => {
  test('lists all commands without arguments, with help and with --help', async () => {
    const { code, stdout } = await millrace([])
    expect(code).toBe(0)
    for (const { name } of commands) expect(stdout).toContain(`  ${name} `)
    expect((await millrace(['help'])).stdout).toBe(stdout)
    expect((await millrace(['--help'])).stdout).toBe(stdout)
  })

  test('of one command is the same however it is requested', async () => {
    const { stdout } = await millrace(['help', 'start'])
    expect(stdout).toContain('usage: millrace start DAG [-- PARAM…]')
    expect((await millrace(['start', '--help'])).stdout).toBe(stdout)
    expect((await millrace(['start', 'x', 'y', '-h'])).stdout).toBe(stdout)
    expect(documents((await millrace(['help', 'start', '--json'])).stdout)).toEqual([
      { help: stdout.trimEnd() },
    ])
  })

  test('version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect((await millrace(['version'])).stdout).toBe(`${version}\n`)
    expect(documents((await millrace(['--version', '--json'])).stdout)).toEqual([{ version }])
  })
})

describe('a usage error exits with code 2 and one line that names it', () => {
  test.each([
    [['strat'], 'millrace: "strat" is not a command; did you mean start? (millrace help)'],
    [['--url', 'x'], 'millrace: expected a command first, got "--url" (millrace help)'],
    [['help', 'nothing'], 'millrace help: "nothing" is not a command (millrace help help)'],
    [['start'], 'millrace start: DAG is missing (millrace help start)'],
    [
      ['start', 'a', 'b'],
      'millrace start: there is one word too many: "b"; params come after -- (millrace help start)',
    ],
    [['ps', '--jsn'], 'millrace ps: --jsn is not an option; did you mean --json? (millrace help ps)'],
    [['ps', '-x'], 'millrace ps: -x is not an option (millrace help ps)'],
    [['ps', '--json=yes'], 'millrace ps: --json takes no value, got "yes" (millrace help ps)'],
    [['ps', '--', 'x'], 'millrace ps: nothing may follow --, got "x" (millrace help ps)'],
    [['logs', 'a', '--step'], 'millrace logs: --step needs a value: --step STEP (millrace help logs)'],
    [
      ['logs', 'a', '--step', '--json'],
      'millrace logs: --step needs a value: --step STEP (millrace help logs)',
    ],
    [
      ['logs', 'a', '--events', '-s', 'b'],
      'millrace logs: --events and --step do not go together (millrace help logs)',
    ],
    [['logs', 'a', 'b', 'c'], 'millrace logs: there is one word too many: "c" (millrace help logs)'],
    [['logs', 'latest:fialed'], expect.stringMatching(/got "fialed"; did you mean failed\?/)],
    [['history', '--status', 'sucess'], expect.stringMatching(/got "sucess"; did you mean success\?/)],
    [
      ['history', '--since', 'monday'],
      expect.stringMatching(/--since must be a duration such as 24h.* got "monday"/),
    ],
    [['history', 'a', '--dag', 'b'], 'millrace history: give DAG or --dag, not both (millrace help history)'],
    [
      ['import', 'x', '--activate'],
      'millrace import: --activate needs --crontab or --from (millrace help import)',
    ],
    [['run', 'hello'], 'millrace: "run" is not a command; did you mean start? (millrace help)'],
    [['workers'], 'millrace: "workers" is not a command; did you mean runners? (millrace help)'],
    [
      ['history', '-n', '0'],
      'millrace history: --limit must be a whole number from 1 to 1000000, got "0" (millrace help history)',
    ],
    [
      ['logs', 'a', '--child', 'b', '-f'],
      'millrace logs: --follow and --child do not go together (millrace help logs)',
    ],
    [['stop', 'a', 'b', '--all'], 'millrace stop: name the RUN, or pass --all (millrace help stop)'],
    [['keys', 'make'], 'millrace keys: "make" is not one of list, create, revoke (millrace help keys)'],
    [['keys'], 'millrace keys: expected one of list, create, revoke (millrace help keys)'],
    [['keys', 'create', 'ci'], 'millrace keys: ROLE is missing (millrace help keys)'],
    [
      ['keys', 'create', 'ci', 'king'],
      'millrace keys: ROLE must be one of viewer, operator, editor, admin, got "king" (millrace help keys)',
    ],
    [
      ['completion', 'sh'],
      'millrace completion: "sh" is not one of bash, zsh, fish, dags (millrace help completion)',
    ],
    [
      ['ps', '--url', 'ftp://x'],
      'millrace ps: --url="ftp://x": must be http://host:port or https://host:port (millrace help ps)',
    ],
  ])('%j', async (args, line) => {
    expect(await millrace(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: typeof line === 'string' ? `${line}\n` : line,
    })
  })
})
