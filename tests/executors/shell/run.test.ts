import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isGroupAlive } from '#lib/executors/shell/process-group.ts'
import { shellExecutor } from '#lib/executors/shell/run.ts'
import type { StepContext } from '#lib/executors/executor.ts'
import { slowSink } from '#tests/support/slow-sink.ts'
import { stepContext } from '../step-context.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const bash = { argv: ['bash'], explicit: true }

describe('commands', () => {
  test('a failing command ends the step in the default shell', async () => {
    const { context, stdout } = stepContext({ commands: ['echo one; false; echo two'] })
    expect(await shellExecutor.run(context)).toEqual({ exitCode: 1, error: 'exit status 1' })
    expect(stdout()).toBe('one\n')
  })

  test('a shell chosen by the step continues after a failing command', async () => {
    const { context, stdout } = stepContext({
      commands: ['false; echo went on'],
      shell: { argv: ['sh'], explicit: true },
    })
    expect(await shellExecutor.run(context)).toEqual({ exitCode: 0, error: '' })
    expect(stdout()).toBe('went on\n')
  })

  test('several commands run in order until one fails', async () => {
    const { context, stdout } = stepContext({ commands: ['echo fig', 'echo date; exit 3', 'echo plum'] })
    expect(await shellExecutor.run(context)).toEqual({ exitCode: 3, error: 'exit status 3' })
    expect(stdout()).toBe('fig\ndate\n')
  })

  test('a command of several lines is one program', async () => {
    const { context, stdout } = stepContext({ commands: ['colour=teal\necho "first $colour"\n'] })
    await shellExecutor.run(context)
    expect(stdout()).toBe('first teal\n')
  })

  test('positional parameters are arguments, not program text', async () => {
    const { context, stdout } = stepContext({
      commands: ['echo "[$1][$2][$3]"'],
      positional: ['a b', '$(echo injected); `id`'],
    })
    await shellExecutor.run(context)
    expect(stdout()).toBe('[a b][$(echo injected); `id`][]\n')
  })

  test('the chosen shell runs the command', async () => {
    const { context, stdout } = stepContext({ commands: ['[[ mango == m* ]] && echo matched'], shell: bash })
    await shellExecutor.run(context)
    expect(stdout()).toBe('matched\n')
  })

  test('the environment is exactly the given one', async () => {
    const { context, stdout } = stepContext({
      commands: ['env | cut -d= -f1 | sort | tr "\\n" " "'],
      env: { PATH: process.env['PATH'] ?? '', FRUIT: 'fig' },
    })
    await shellExecutor.run(context)
    expect(stdout().split(' ')).toEqual(expect.arrayContaining(['FRUIT', 'PATH', 'PWD']))
    expect(stdout()).not.toContain('HOME')
  })

  test('a program alone on its line is started without a shell', async () => {
    const isGroupLeader = async (command: string, given: Partial<StepContext> = {}): Promise<boolean> => {
      const { context, stdout, groups } = stepContext({ commands: [command], ...given })
      expect(await shellExecutor.run(context)).toEqual({ exitCode: 0, error: '' })
      return Number(stdout()) === groups[0]?.pgid
    }
    expect(await isGroupLeader('readlink /proc/self')).toBe(true)
    expect(await isGroupLeader('readlink /proc/self; true')).toBe(false)
    const env = { PATH: process.env['PATH'] ?? '', 'BASH_FUNC_readlink%%': '() { :; }' }
    expect(await isGroupLeader('readlink /proc/self', { env })).toBe(false)
    const sh = { argv: ['sh'], explicit: true }
    expect(await isGroupLeader('readlink /proc/self', { shell: sh })).toBe(false)
  })

  test('the shell reports a missing program', async () => {
    const { context, stderr } = stepContext({ commands: ['no-such-program --now'] })
    expect(await shellExecutor.run(context)).toMatchObject({ exitCode: 127 })
    expect(stderr()).toMatch(/no-such-program: (command )?not found/)
  })

  test('a very long command still runs', async () => {
    const { context, stdout } = stepContext({ commands: [`: ${'x'.repeat(200_000)}\necho done`] })
    await shellExecutor.run(context)
    expect(stdout()).toBe('done\n')
  })

  test('standard input is empty', async () => {
    const { context, stdout } = stepContext({ commands: ['cat; echo end'] })
    await shellExecutor.run(context)
    expect(stdout()).toBe('end\n')
  })

  test('the working directory is the given one', async () => {
    const workingDir = temporaryFolder('shell-test')
    const { context, stdout } = stepContext({ commands: ['pwd'], workingDir })
    await shellExecutor.run(context)
    expect(stdout()).toBe(`${workingDir}\n`)
  })
})

describe('scripts', () => {
  test('a script in the default shell stops at the first failing command', async () => {
    const { context, stdout } = stepContext({ script: 'echo reached\nfalse\necho unreachable\n' })
    expect((await shellExecutor.run(context)).exitCode).toBe(1)
    expect(stdout()).toBe('reached\n')
  })

  test('Windows line endings are removed', async () => {
    const { context, stdout } = stepContext({ script: 'echo first\r\necho second\r\n' })
    await shellExecutor.run(context)
    expect(stdout()).toBe('first\nsecond\n')
  })

  test('the interpreter line is honoured if the step names no shell', async () => {
    const script = '#!/usr/bin/awk -f\nBEGIN { print "from awk", 6 * 7 }\n'
    const { context, stdout } = stepContext({ script })
    await shellExecutor.run(context)
    expect(stdout()).toBe('from awk 42\n')
  })

  test('the shell of the step wins over the interpreter line', async () => {
    const { context, stdout } = stepContext({
      script: '#!/usr/bin/awk -f\n[[ a == a ]] && echo bash',
      shell: bash,
    })
    await shellExecutor.run(context)
    expect(stdout()).toBe('bash\n')
  })

  test('a command next to a script is its interpreter', async () => {
    const { context, stdout } = stepContext({ commands: ['awk -f'], script: 'BEGIN { print 1 + 2 }' })
    await shellExecutor.run(context)
    expect(stdout()).toBe('3\n')
  })

  test('positional parameters reach a shell script', async () => {
    const { context, stdout } = stepContext({ script: 'echo "$2 $1"', positional: ['one', 'two'] })
    await shellExecutor.run(context)
    expect(stdout()).toBe('two one\n')
  })

  test('the file of the script is removed afterwards', async () => {
    const { context, stdout } = stepContext({ script: 'echo "$0"' })
    await shellExecutor.run(context)
    expect(() => readFileSync(stdout().trim())).toThrow('ENOENT')
  })
})

describe('direct', () => {
  const shell = { argv: ['direct'], explicit: true }

  test('a program is started without a shell', async () => {
    const { context, stdout } = stepContext({ commands: [`printf '%s|' "a b" $HOME 'c;d' \\;`], shell })
    expect(await shellExecutor.run(context)).toEqual({ exitCode: 0, error: '' })
    expect(stdout()).toBe('a b|$HOME|c;d|;|')
  })

  test('an unknown program has exit code 127', async () => {
    const { context } = stepContext({ commands: ['no-such-program-here --flag'], shell })
    expect(await shellExecutor.run(context)).toEqual({
      exitCode: 127,
      error: 'no-such-program-here: command not found',
    })
  })

  test('a missing working directory is named', async () => {
    const { context } = stepContext({ commands: ['true'], shell, workingDir: '/nowhere/at/all' })
    expect(await shellExecutor.run(context)).toEqual({
      exitCode: 126,
      error: 'working directory does not exist: /nowhere/at/all',
    })
  })
})

describe('failures', () => {
  test('the error contains the last lines of standard error', async () => {
    const { context, stderr } = stepContext({
      commands: ['for i in 1 2 3 4 5 6 7; do echo e$i >&2; done; exit 4'],
    })
    expect(await shellExecutor.run(context)).toEqual({
      exitCode: 4,
      error: 'exit status 4\nrecent stderr (tail):\ne3\ne4\ne5\ne6\ne7',
    })
    expect(stderr().split('\n')).toHaveLength(8)
  })

  test('a death by signal is reported', async () => {
    const { context } = stepContext({ commands: ['kill -9 $$'] })
    expect(await shellExecutor.run(context)).toEqual({ exitCode: 137, error: 'signal: killed' })
  })

  test('a sink that fails fails the attempt and ends the process', async () => {
    const { context, groups } = stepContext({
      commands: ['while :; do echo endless; done'],
      stdout: () => Promise.reject(new Error('disk is full')),
    })
    await expect(shellExecutor.run(context)).rejects.toThrow('disk is full')
    expect(isGroupAlive(groups[0]?.pgid ?? 0)).toBe(false)
  })

  test('a slow sink slows the process down and loses nothing', async () => {
    let seen = 0
    let writing = 0
    const { context } = stepContext({
      commands: ['head -c 3000000 /dev/zero'],
      stdout: async (bytes) => {
        expect(++writing).toBe(1)
        await new Promise(setImmediate)
        seen += bytes.length
        writing--
      },
    })
    await shellExecutor.run(context)
    expect(seen).toBe(3_000_000)
  })
})

describe('stopping', () => {
  test('the signal of the step reaches the whole group', async () => {
    const watched = stepContext({
      script: "trap 'echo got INT; exit 0' INT\necho ready\nwhile true; do sleep 0.1; done",
      signalOnStop: 'SIGINT',
    })
    const running = shellExecutor.run(watched.context)
    await watched.printed('ready')
    watched.controller.abort('stopped')
    expect((await running).exitCode).toBe(0)
    expect(watched.stdout()).toBe('ready\ngot INT\n')
  })

  test('a process that ignores the signal is killed with its children after the clean-up time', async () => {
    const watched = stepContext({
      script: "trap '' TERM\necho ready\nfor i in 1 2 3 4 5 6 7 8 9; do sleep 1; done",
      cleanUpMs: 200,
    })
    const running = shellExecutor.run(watched.context)
    await watched.printed('ready')
    watched.controller.abort('stopped')
    expect(await running).toEqual({ exitCode: 137, error: 'signal: killed' })
    expect(watched.groups.map((event) => event.alive)).toEqual([true, false])
    expect(isGroupAlive(watched.groups[0]?.pgid ?? 0)).toBe(false)
  })

  test('a lost lease kills at once', async () => {
    const watched = stepContext({ script: "trap '' TERM\necho ready\nsleep 30", cleanUpMs: 60_000 })
    const running = shellExecutor.run(watched.context)
    await watched.printed('ready')
    watched.controller.abort('lease_lost')
    expect((await running).error).toBe('signal: killed')
  })

  test('nothing is started after a stop', async () => {
    const watched = stepContext({ commands: ['echo never'] })
    watched.controller.abort('stopped')
    await shellExecutor.run(watched.context)
    expect(watched.groups).toEqual([])
  })
})

describe('background children', () => {
  test('a background child that holds the output open does not hang the step', async () => {
    const watched = stepContext({ commands: ['sleep 60 & echo over'], cleanUpMs: 100 })
    expect(await shellExecutor.run(watched.context)).toEqual({ exitCode: 0, error: '' })
    expect(watched.stdout()).toBe('over\n')
    expect(isGroupAlive(watched.groups[0]?.pgid ?? 0)).toBe(false)
  })

  test('a background child that ignores TERM does not outlive the step', async () => {
    const watched = stepContext({ commands: ["(trap '' TERM; sleep 60) & echo over"], cleanUpMs: 100 })
    await shellExecutor.run(watched.context)
    expect(isGroupAlive(watched.groups[0]?.pgid ?? 0)).toBe(false)
  })

  test('a child in its own session does not hang the step', async () => {
    const watched = stepContext({ commands: ['setsid sleep 5 & echo over'], cleanUpMs: 100 })
    expect((await shellExecutor.run(watched.context)).exitCode).toBe(0)
  })

  test('a child in its own session that prints forever does not hang the step', async () => {
    const watched = stepContext({
      commands: ["setsid sh -c 'while echo on; do sleep 0.1; done' & echo over"],
      cleanUpMs: 100,
    })
    expect((await shellExecutor.run(watched.context)).exitCode).toBe(0)
  })

  test('a slow store gets all output, even long after the program has ended', async () => {
    const store = slowSink(1_300)
    const { context } = stepContext({
      commands: ['head -c 40000 /dev/zero'],
      cleanUpMs: 10,
      stdout: store.sink,
    })
    await shellExecutor.run(context)
    expect(store.taken()).toBe(40_000)
  })

  test('output of a background child shortly after the end is kept', async () => {
    const watched = stepContext({ commands: ['(sleep 0.3; echo late) & echo early'] })
    await shellExecutor.run(watched.context)
    expect(watched.stdout()).toBe('early\nlate\n')
  })
})
