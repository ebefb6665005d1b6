import { readdirSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { posixSpawn } from '#lib/executors/shell/posix-spawn.ts'
import { nodeSpawn, startProcess } from '#lib/executors/shell/start-process.ts'
import type { ProcessStart, StartedProcess } from '#lib/executors/shell/started-process.ts'

const folder = await mkdtemp(join(tmpdir(), 'millrace-start-'))
afterAll(() => rm(folder, { recursive: true }))
const isLinux = process.platform === 'linux'

const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
const shell = (command: string, more = {}) => ({
  argv: ['sh', '-c', command],
  workingDir: folder,
  env: { ...env, ...more },
})

async function outputOf(child: StartedProcess) {
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), child.ended])
  return { stdout, stderr, end }
}

const ways: [string, typeof startProcess][] = [['Node', nodeSpawn]]
if (isLinux) {
  const start = (what: ProcessStart) =>
    Promise.resolve(posixSpawn(what) ?? expect.fail('it is not offered here'))
  ways.push(['posix_spawn', start])
}

describe.each(ways)('a process started by %s', (_name, start) => {
  test('writes to two streams and ends with a code', async () => {
    const child = await start(shell('pwd; echo "$0 $1" >&2; exit 3'))
    expect(await outputOf(child)).toEqual({
      stdout: `${folder}\n`,
      stderr: 'sh \n',
      end: { how: 'exited', code: 3 },
    })
  })

  test.each(['SIGKILL', 'SIGTERM', 'SIGSEGV'] as const)('ends by a signal: %s', async (signal) => {
    const child = await start(shell(`kill -s ${signal.slice(3)} $$`))
    expect((await outputOf(child)).end).toEqual({ how: 'signalled', signal })
  })

  test('has exactly the environment and the arguments that it is given', async () => {
    const wild = 'a b\n"c" $HOME \'d\' ä€😀 =x='
    const shown = await start({
      argv: ['env', '-0'],
      workingDir: folder,
      env: { ...env, WILD: wild, EMPTY: '' },
    })
    expect((await outputOf(shown)).stdout.split('\0').filter(Boolean)).toEqual([
      `PATH=${env.PATH}`,
      `WILD=${wild}`,
      'EMPTY=',
    ])
    const words = await start({ argv: ['printf', '%s|', wild, '', 'z'], workingDir: folder, env })
    expect((await outputOf(words)).stdout).toBe(`${wild}||z|`)
  })

  test('is found through its own PATH', async () => {
    await symlink('/bin/echo', join(folder, `greet-${_name}`))
    const child = await start({
      argv: [`greet-${_name}`, 'hi'],
      workingDir: '/',
      env: { PATH: `/nowhere:${folder}` },
    })
    expect((await outputOf(child)).stdout).toBe('hi\n')
    const relative = await start({ argv: [`./greet-${_name}`, 'ho'], workingDir: folder, env })
    expect((await outputOf(relative)).stdout).toBe('ho\n')
  })

  test.runIf(isLinux)('has its own session and process group, and no input', async () => {
    const child = await start(shell('cut -d" " -f5,6 /proc/self/stat; readlink /proc/self/fd/0'))
    expect((await outputOf(child)).stdout).toBe(`${child.pid} ${child.pid}\n/dev/null\n`)
  })

  test.runIf(isLinux)('inherits no open file of this process', async () => {
    const files = ({ stdout }: { stdout: string }) =>
      stdout.split('\n').filter((name) => name !== '' && Number(name) < 100)
    const listing = shell('ls /proc/$$/fd')
    const others = await Promise.all(Array.from({ length: 20 }, () => start(shell('true'))))
    expect(files(await outputOf(await start(listing)))).toEqual(['0', '1', '2'])
    await Promise.all(others.map(outputOf))
  })

  test.runIf(isLinux)('ignores and blocks no signal', async () => {
    const child = await start(shell('grep -E "^Sig(Blk|Ign)" /proc/self/status'))
    expect((await outputOf(child)).stdout).toMatch(/^SigBlk:\t0+\nSigIgn:\t0+\n$/)
  })

  test('ends with 99 others, and they leave no file open in this process', async () => {
    const files = () => (isLinux ? readdirSync('/proc/self/fd').length : 0)
    const before = files()
    const ends = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => outputOf(await start(shell(`echo ${n}; exit ${n}`)))),
    )
    expect(ends).toEqual(
      ends.map((_, n) => ({ stdout: `${n}\n`, stderr: '', end: { how: 'exited', code: n } })),
    )
    expect(files()).toBeLessThanOrEqual(before)
  })
})

describe('a process that cannot start fails with the error code of Node', () => {
  test.each([
    ['an unknown program', { argv: ['no-such-program'], workingDir: folder, env }, 'ENOENT'],
    ['an unknown folder', { argv: ['sh', '-c', 'true'], workingDir: '/no/such', env }, 'ENOENT'],
    ['a file that is not executable', { argv: ['/etc/passwd'], workingDir: folder, env }, 'EACCES'],
    ['no program', { argv: [''], workingDir: folder, env }, 'ERR_INVALID_ARG_VALUE'],
    ['a NUL', { argv: ['sh', '-c', 'tr\0ue'], workingDir: folder, env }, 'ERR_INVALID_ARG_VALUE'],
    [
      'a NUL in a variable',
      { argv: ['sh'], workingDir: folder, env: { ...env, A: '\0' } },
      'ERR_INVALID_ARG_VALUE',
    ],
  ])('%s', async (_what, start, code) => {
    await expect(startProcess(start)).rejects.toMatchObject({ code })
  })
})
