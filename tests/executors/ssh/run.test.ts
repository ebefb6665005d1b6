import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sshExecutor } from '#lib/executors/ssh/run.ts'
import { until } from '#tests/support/until.ts'
import { stepContext, type Watched } from '../step-context.ts'
import { hasSshd, startSshd, type Sshd } from './sshd.ts'

if (!hasSshd) console.log('skipped: the ssh tests need an ssh server (apt-get install openssh-server)')

const good = { exitCode: 0, error: '' }

describe.runIf(hasSshd)('the ssh executor', () => {
  let sshd: Sshd
  beforeAll(async () => {
    sshd = await startSshd()
  })
  afterAll(() => sshd.stop())

  function remote(
    commands: readonly string[],
    given: Parameters<typeof stepContext>[0] = {},
    config = {},
  ): Watched {
    return stepContext({ commands, config: { ...sshd.login, ...config }, ...given })
  }

  /** Processes whose command line holds a text. */
  function processes(text: string): string[] {
    const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
    return all.filter((line) => line.includes(text) && !line.includes('ps -eo'))
  }

  describe('output and end', () => {
    test('both outputs arrive apart, with the exit status', async () => {
      const { context, stdout, stderr } = remote(['echo plum; echo fig >&2; exit 3'])
      expect(await sshExecutor.run(context)).toEqual({
        exitCode: 3,
        error: 'exit status 3\nrecent stderr (tail):\nfig',
      })
      expect([stdout(), stderr()]).toEqual(['plum\n', 'fig\n'])
    })

    test('every byte arrives', async () => {
      const pieces: Uint8Array[] = []
      const { context } = remote([String.raw`printf '\000\377\r\n\200'`], {
        stdout: (bytes) => void pieces.push(Buffer.from(bytes)),
      })
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(Buffer.concat(pieces)).toEqual(Buffer.from([0, 255, 13, 10, 128]))
    })

    test('much output is held back while the sink asks for it', async () => {
      let bytes = 0
      let waiting = 0
      const { context } = remote(['head -c 8000000 /dev/zero'], {
        stdout: async (piece) => {
          waiting += 1
          expect(waiting).toBe(1)
          await Promise.resolve()
          bytes += piece.length
          waiting -= 1
        },
      })
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(bytes).toBe(8_000_000)
    })

    test('a script stops at the first command that fails', async () => {
      const { context, stdout } = remote([], { script: 'echo one\nfalse\necho two\n' })
      expect(await sshExecutor.run(context)).toMatchObject({ exitCode: 1 })
      expect(stdout()).toBe('one\n')
    })

    test('a script may name its interpreter, and gets its arguments', async () => {
      const { context, stdout } = remote([], {
        script: '#!/usr/bin/awk -f\nBEGIN { print "sum", ARGV[1] + ARGV[2] }\n',
        positional: ['40', '2'],
      })
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('sum 42\n')
    })

    test('the shell can be chosen', async () => {
      const { context, stdout } = remote(
        ['[[ mango == m* ]] && echo "$1 matched"'],
        { positional: ['it'] },
        {
          shell: '/bin/bash',
        },
      )
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('it matched\n')
    })

    test('a large program is sent whole', async () => {
      const { context, stdout } = remote([], { script: `${': x\n'.repeat(100_000)}echo end\n` })
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('end\n')
    })
  })

  test('values arrive as they are, whatever characters they hold', async () => {
    const wild = `$(echo injected) \`id\` '"; exit 9 #\n\\ * é 🥐`
    const { context, stdout } = remote([`printf '%s|' "$WILD" "$1" "$HOME_OF"`], {
      env: { WILD: wild, HOME_OF: 'x', HOME: '/nowhere', UNNAMED: 'never sent' },
      positional: [wild],
    })
    expect(await sshExecutor.run(context)).toEqual(good)
    expect(stdout()).toBe(`${wild}|${wild}|x|`)
  })

  describe('who is trusted', () => {
    test('a machine that is not known is refused', async () => {
      const empty = join(sshd.folder, 'empty')
      writeFileSync(empty, '# nobody\n')
      const { context } = remote(['echo never'], {}, { knownHostFile: empty })
      expect(await sshExecutor.run(context)).toMatchObject({
        exitCode: 255,
        error: expect.stringMatching(/^no key of 127.0.0.1:\d+ is known in /) as string,
      })
      expect(
        await sshExecutor.run(remote(['true'], {}, { knownHostFile: empty, strictHostKey: false }).context),
      ).toEqual(good)
    })

    test('a machine that shows another key is refused', async () => {
      const wrong = join(sshd.folder, 'wrong')
      const other = execFileSync('cat', [join(sshd.folder, 'host_other.pub')], { encoding: 'utf8' })
      writeFileSync(wrong, `[127.0.0.1]:${sshd.port} ${other}`)
      const { context, stdout } = remote(['echo never'], {}, { knownHostFile: wrong })
      expect((await sshExecutor.run(context)).error).toMatch(/verification failed/)
      expect(stdout()).toBe('')
    })

    test('a hashed entry is found', async () => {
      const hashed = join(sshd.folder, 'hashed')
      execFileSync('cp', [String(sshd.login['knownHostFile']), hashed])
      execFileSync('ssh-keygen', ['-q', '-H', '-f', hashed], { stdio: 'ignore' })
      expect(await sshExecutor.run(remote(['true'], {}, { knownHostFile: hashed }).context)).toEqual(good)
    })

    test('a key that the machine does not accept, and one that is missing, are told', async () => {
      const stranger = remote(['true'], {}, { key: join(sshd.folder, 'stranger_key') })
      expect((await sshExecutor.run(stranger.context)).error).toMatch(
        /^ssh \S+@127.0.0.1:\d+: All configured authentication methods failed$/,
      )
      const missing = remote(['true'], {}, { key: '/no/such/key' })
      expect((await sshExecutor.run(missing.context)).error).toBe('the key /no/such/key cannot be read')
    })
  })

  describe('stopping', () => {
    test('ends the remote process and its children, not only the connection', async () => {
      const { context, controller, printed } = remote(['sleep 4711 & echo ready; sleep 4712'])
      const running = sshExecutor.run(context)
      await printed('ready')
      expect(processes('sleep 471')).toHaveLength(2)
      controller.abort('stopped')
      expect((await running).exitCode).not.toBe(0)
      await until('the remote processes are gone', () => processes('sleep 471').length === 0)
    })

    test('kills what ignores the signal', async () => {
      const command = `trap '' TERM; echo ready; while :; do sleep 0.4713; done`
      const { context, controller, printed } = remote([command], { cleanUpMs: 300 })
      const running = sshExecutor.run(context)
      await printed('ready')
      controller.abort('timed_out')
      expect((await running).exitCode).not.toBe(0)
      await until('the remote processes are gone', () => processes('sleep 0.4713').length === 0)
    })

    test('during the connect ends at once, and leaves no connection', async () => {
      const silent = createServer().listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo
      const connected = once(silent, 'connection')
      const { context, controller } = remote(['echo never'], {}, { port, strictHostKey: false })
      const running = sshExecutor.run(context)
      const [socket] = (await connected) as [NodeJS.EventEmitter]
      const closed = once(socket, 'close')
      controller.abort('stopped')
      expect(await running).toEqual({ exitCode: 255, error: 'the remote command was stopped' })
      await closed
      silent.close()
    })

    test('a child in the background that holds the output does not hang the step', async () => {
      const { context, stdout } = remote(['sleep 4714 & echo done'])
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('done\n')
      await until('it is gone', () => processes('sleep 4714').length === 0)
    })
  })
})
