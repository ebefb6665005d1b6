import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { Server as SshServer, type AuthContext } from 'ssh2'
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

  /** Processes whose command line contains a text. */
  function processes(text: string): string[] {
    const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
    return all.filter((line) => line.includes(text) && !line.includes('ps -eo'))
  }

  /** A `sleep` command that is unique among all tests and test runs. */
  let sleeps = 0
  const ownSleep = (seconds: number): string => `sleep ${seconds}.${process.pid}${(sleeps += 1)}1`

  const isGone = (command: string): Promise<true> =>
    until(`${command} is gone`, () => processes(command).length === 0)

  describe('output and end', () => {
    test('both outputs arrive separately, with the exit status', async () => {
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

    test('large output waits for a slow sink', async () => {
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

    test('output is not truncated at the end for a slow store', async () => {
      let bytes = 0
      const { context } = remote(['head -c 1500000 /dev/zero'], {
        stdout: async (piece) => {
          // Longer than the silence after which a channel is closed, so the program has ended by then.
          if (bytes === 0) await later(1_500)
          bytes += piece.length
        },
      })
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(bytes).toBe(1_500_000)
    })

    test('a sink that fails ends the remote program', async () => {
      const sleep = ownSleep(4_000)
      const { context } = remote([`echo full; ${sleep}`], {
        stdout: () => Promise.reject(new Error('the disk is full')),
      })
      expect(await sshExecutor.run(context)).toEqual({ exitCode: 255, error: 'the disk is full' })
      await isGone(sleep)
    })

    test('the output of a forced command of the machine is kept', async () => {
      const { context, stdout } = remote(['echo never'], {}, { key: join(sshd.folder, 'forced_key') })
      expect(await sshExecutor.run(context)).toEqual({
        exitCode: 255,
        error: 'the machine did not start the program (exit status 0)',
      })
      expect(stdout()).toBe('only this\n')
    })

    test('a command may be an interpreter for the script', async () => {
      const { context, stdout } = remote(['awk -f'], {
        script: 'BEGIN { print "sum", ARGV[1] + 2 }\r\n',
        positional: ['40'],
      })
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('sum 42\n')
    })

    test('an unclosed quote in a command line is reported', async () => {
      const { context } = remote(['awk "-f'], { script: 'x' })
      expect((await sshExecutor.run(context)).error).toBe('a " is not closed in the command: awk "-f')
    })

    test('a large program for a chosen shell is sent completely', async () => {
      const script = `${': x\n'.repeat(100_000)}echo "end $1"\n`
      const { context, stdout } = remote([], { script, positional: ['here'] }, { shell: 'bash -u' })
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('end here\n')
    })

    test('a large program is sent completely', async () => {
      const { context, stdout } = remote([], { script: `${': x\n'.repeat(100_000)}echo end\n` })
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('end\n')
    })
  })

  test('values arrive unchanged, whatever characters they contain', async () => {
    const wild = `$(echo injected) \`id\` '"; exit 9 #\n\\ * é 🥐`
    const { context, stdout } = remote([`printf '%s|' "$WILD" "$1" "$HOME_OF"`], {
      env: { WILD: wild, HOME_OF: 'x', HOME: '/nowhere', UID: '7', UNNAMED: 'never sent' },
      positional: [wild],
    })
    expect(await sshExecutor.run(context)).toEqual(good)
    expect(stdout()).toBe(`${wild}|${wild}|x|`)
  })

  test('no value shows in the process list of the machine', async () => {
    const { context, printed, controller } = remote([`: "$WORD" "$1"; echo ready; ${ownSleep(4_000)}`], {
      env: { WORD: `hush-${process.pid}` },
      positional: [`hush-${process.pid}`],
    })
    const running = sshExecutor.run(context)
    await printed('ready')
    expect(processes(`hush-${process.pid}`)).toEqual([])
    controller.abort('stopped')
    await running
  })

  describe('trust', () => {
    test('an unknown machine is refused', async () => {
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
      expect((await sshExecutor.run(context)).error).toMatch(
        /^ssh \S+: the machine shows another key than the one in \S+wrong: it is not trusted$/,
      )
      expect(stdout()).toBe('')
    })

    test('a hashed entry is found', async () => {
      const hashed = join(sshd.folder, 'hashed')
      execFileSync('cp', [String(sshd.login['knownHostFile']), hashed])
      execFileSync('ssh-keygen', ['-q', '-H', '-f', hashed], { stdio: 'ignore' })
      expect(await sshExecutor.run(remote(['true'], {}, { knownHostFile: hashed }).context)).toEqual(good)
    })

    test('a key that is rejected or missing is reported', async () => {
      const stranger = remote(['true'], {}, { key: join(sshd.folder, 'stranger_key') })
      expect((await sshExecutor.run(stranger.context)).error).toMatch(
        /^ssh \S+@127.0.0.1:\d+: the machine accepts none of the keys and passwords that were offered$/,
      )
      const missing = remote(['true'], {}, { key: '/no/such/key' })
      expect((await sshExecutor.run(missing.context)).error).toBe('key: /no/such/key does not exist')
    })

    test('a machine without a key of a known type is refused', async () => {
      const other = join(sshd.folder, 'other-kind')
      const ecdsa = 'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBA=='
      writeFileSync(other, `[127.0.0.1]:${sshd.port} ${ecdsa}\n`)
      const { context } = remote(['true'], {}, { knownHostFile: other })
      expect((await sshExecutor.run(context)).error).toMatch(/has no key of the kinds that are known in /)
    })

    test('an unusable key is reported before anything is sent', async () => {
      const locked = join(sshd.folder, 'locked')
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'secret', '-f', locked])
      const errorOf = async (key: string): Promise<string> =>
        (await sshExecutor.run(remote(['true'], { workingDir: sshd.folder }, { key }).context)).error
      expect(await errorOf('locked')).toBe('the key locked has a passphrase, which steps cannot give')
      expect(await errorOf('user_key.pub')).toBe(
        'the key user_key.pub is a public key, the private one is needed',
      )
      expect(await errorOf('config')).toBe('the key config is no private key')
      expect(await errorOf('-----BEGIN PRIVATE KEY-----')).toBe('the key of the step is no private key')
    })

    test('a key may be given as text, or as a path relative to the working directory', async () => {
      const key = readFileSync(join(sshd.folder, 'user_key'), 'utf8')
      expect(await sshExecutor.run(remote(['true'], {}, { key }).context)).toEqual(good)
      const beside = remote(['true'], { workingDir: sshd.folder }, { key: 'user_key' })
      expect(await sshExecutor.run(beside.context)).toEqual(good)
    })

    test.each(['password', 'keyboard-interactive'] as const)('a password is sent by %s', async (method) => {
      const answers: unknown[] = []
      const check = (context: AuthContext): void => {
        if (context.method === 'password' && method === 'password') answers.push(context.password)
        else if (context.method === 'keyboard-interactive' && method === 'keyboard-interactive') {
          context.prompt([{ prompt: 'Password: ', echo: false }], (given) => {
            answers.push(...given)
            context.reject([])
          })
          return
        }
        context.reject([method])
      }
      const hostKeys = [readFileSync(join(sshd.folder, 'host_other'))]
      const server = new SshServer({ hostKeys }, (client) => {
        client.on('authentication', check).on('error', () => undefined)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const { context } = remote(['true'], {}, { port, key: '', password: 's3cret', strictHostKey: false })
      expect((await sshExecutor.run(context)).error).toMatch(/the machine accepts none of the keys and pass/)
      expect(answers).toEqual(['s3cret'])
      server.close()
    })

    test('an empty host or an invalid port is refused', async () => {
      expect((await sshExecutor.run(remote(['true'], {}, { host: ' ' }).context)).error).toBe(
        'ssh needs host, the machine to run on',
      )
      expect((await sshExecutor.run(remote(['true'], {}, { port: 'x' }).context)).error).toBe(
        'the port of ssh must be 1 to 65535, is "x"',
      )
    })

    test('an unreachable machine is reported', async () => {
      const { context } = remote(['true'], {}, { host: 'localhost', port: 1, strictHostKey: false })
      expect((await sshExecutor.run(context)).error).toMatch(/^ssh \S+@localhost:1: .*ECONNREFUSED/)
    })
  })

  describe('stopping', () => {
    test('ends the remote process and its children, not only the connection', async () => {
      const sleep = ownSleep(4_000)
      const { context, controller, printed } = remote([`${sleep} & echo ready; ${sleep}`])
      const running = sshExecutor.run(context)
      await printed('ready')
      await until('both sleep', () => processes(sleep).length === 2)
      controller.abort('stopped')
      expect(await running).toEqual({ exitCode: 143, error: 'exit status 143' })
      await isGone(sleep)
    })

    test('gives a program time to clean up, and keeps what it prints meanwhile', async () => {
      const command = `trap 'printf "%0900000d" 0; echo cleaned; exit 7' TERM; echo ready; ${ownSleep(4_000)} & wait`
      const { context, controller, stdout, printed } = remote([command])
      const running = sshExecutor.run(context)
      await printed('ready')
      controller.abort('stopped')
      expect((await running).exitCode).toBe(7)
      expect(stdout()).toHaveLength(900_000 + 'ready\ncleaned\n'.length)
    })

    test('sends the signal that the step names', async () => {
      const command = `trap 'exit 9' USR1; echo ready; ${ownSleep(4_000)} & wait`
      const { context, controller, printed } = remote([command], { signalOnStop: 'SIGUSR1' })
      const running = sshExecutor.run(context)
      await printed('ready')
      controller.abort('stopped')
      expect((await running).exitCode).toBe(9)
    })

    test('kills a program that ignores the signal', async () => {
      const sleep = ownSleep(0)
      const command = `trap '' TERM; echo ready; while :; do ${sleep}; done`
      const { context, controller, printed } = remote([command], { cleanUpMs: 300 })
      const running = sshExecutor.run(context)
      await printed('ready')
      controller.abort('timed_out')
      expect((await running).exitCode).toBe(137)
      await isGone(sleep)
    })

    test('a lost lease kills at once', async () => {
      const command = `trap '' TERM; echo ready; while :; do ${ownSleep(0)}; done`
      const { context, controller, printed } = remote([command], { cleanUpMs: 600_000 })
      const running = sshExecutor.run(context)
      await printed('ready')
      controller.abort('lease_lost')
      expect((await running).exitCode).toBe(137)
    })

    test('ends a step that is connecting at once, and leaves no connection', async () => {
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
  })

  describe('leftovers on the machine', () => {
    test('a background child is killed, even if it ignores signals', async () => {
      const sleep = ownSleep(4_000)
      const { context, stdout } = remote([`(trap '' TERM; ${sleep}) & echo done`], { cleanUpMs: 200 })
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('done\n')
      expect(processes(sleep)).toEqual([])
    })

    test('a background child may finish shortly after the program', async () => {
      const { context, stdout } = remote(['(sleep 0.3; echo late) & echo done'])
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('done\nlate\n')
    })

    test('a process that has left the session is not waited for', async () => {
      const sleep = ownSleep(60)
      const { context, stdout } = remote([`setsid ${sleep} & echo done`])
      expect(await sshExecutor.run(context)).toEqual(good)
      expect(stdout()).toBe('done\n')
      for (const line of processes(sleep)) process.kill(Number.parseInt(line, 10), 'SIGKILL')
    })

    test('the file of a stopped script is removed', async () => {
      const script = `#!/bin/sh\necho ready "$0"\n${ownSleep(4_000)}\n`
      const { context, controller, stdout, printed } = remote([], { script })
      const running = sshExecutor.run(context)
      await printed('ready')
      await until('it is written', () => stdout().endsWith('\n'))
      controller.abort('stopped')
      await running
      const [, file = ''] = /^ready (\/\S+)$/m.exec(stdout()) ?? []
      expect(file).not.toBe('')
      expect(existsSync(file)).toBe(false)
    })

    test('the program is killed if the connection is lost, as when the runner dies', async () => {
      const sockets: Socket[] = []
      const relay = createServer((near) => {
        const far = connect(sshd.port, '127.0.0.1')
        sockets.push(near, far)
        for (const socket of [near, far]) socket.on('error', () => undefined)
        near.pipe(far).pipe(near)
      }).listen(0, '127.0.0.1')
      await once(relay, 'listening')
      const { port } = relay.address() as AddressInfo
      const sleep = ownSleep(0)
      const command = `trap '' TERM; echo ready; while :; do ${sleep}; done`
      const { context, printed } = remote([command], { cleanUpMs: 300 }, { port, strictHostKey: false })
      const running = sshExecutor.run(context)
      await printed('ready')
      for (const socket of sockets) socket.destroy()
      const { exitCode, error } = await running
      expect(exitCode).toBe(255)
      expect(error).toMatch(/^the connection was lost before the remote command had ended/)
      await isGone(sleep)
      relay.close()
    })
  })
})
