import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const top = new URL('../../..', import.meta.url).pathname
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }

/** A process of an unprivileged user that runs some code of ours and stays. */
async function play(code: string, env: Record<string, string>) {
  const source = `
    import { hideEnvironment } from '#lib/privileges/hide-environment.ts'
    import { sealProcess } from '#lib/privileges/seal-process.ts'
    ${code}
    setInterval(() => {}, 1_000_000)`
  const args = ['--input-type=module', '-e', source]
  const options = { cwd: top, env: { PATH: '/usr/bin:/bin', ...env }, ...nobody } as const
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { pid: child.pid ?? 0, said: JSON.parse(line) as Record<string, unknown> }
}

/** The output of a command in another process of that user. */
async function asNeighbour(command: string): Promise<string> {
  const child = spawn('sh', ['-c', `${command} 2>&1`], { ...nobody, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('latin1').on('data', (text: string) => (said += text))
  await once(child, 'close')
  return said.trim()
}

test.skipIf(!isRoot)(
  'secrets are overwritten in the process, and everything but public variables in /proc',
  async () => {
    const env = { SECRET: 'a=b\n1', PUBLIC: 'to see', OTHER: 'hidden', EMPTY: '' }
    const { pid, said } = await play(
      `const isHidden = hideEnvironment(process.env, ['SECRET', 'EMPTY'], (name) => name === 'PUBLIC')
     console.log(JSON.stringify({ isHidden, ...process.env }))`,
      env,
    )
    expect(said).toMatchObject({ isHidden: true, SECRET: 'xxxxx', PUBLIC: 'to see', OTHER: 'hidden' })
    const shown = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    expect(shown).toEqual(expect.arrayContaining(['SECRET=xxxxx', 'PUBLIC=to see', 'OTHER=xxxxxx', 'EMPTY=']))
  },
)

test.skipIf(!isRoot)(
  'the environment, memory and files of a sealed process are unreadable even for its own user',
  async () => {
    const open = await play('console.log(true)', { SECRET: 'in the open' })
    expect(await asNeighbour(`cat /proc/${open.pid}/environ`)).toContain('in the open')
    const sealed = await play('console.log(sealProcess())', { SECRET: 'not to be seen' })
    expect(sealed.said).toBe(true)
    for (const file of ['environ', 'mem', 'fd/0', 'maps']) {
      expect(await asNeighbour(`head -c 10 /proc/${sealed.pid}/${file}`)).toContain('Permission denied')
    }
  },
)

test.skipIf(!isRoot)('a sealed process passes no inherited descriptor to its children', async () => {
  const { said } = await play(
    `import { execFileSync } from 'node:child_process'
     import { openSync } from 'node:fs'
     const names = () => execFileSync('sh', ['-c', 'echo /proc/self/fd/*'], { encoding: 'utf8' })
     const { dlopen } = process.getBuiltinModule('node:ffi')
     const c = dlopen(null, { dup2: { arguments: ['int32', 'int32'], return: 'int32' } }).functions
     c.dup2(openSync('/dev/null'), 40)
     const before = names()
     sealProcess()
     console.log(JSON.stringify({ before, after: names() }))`,
    {},
  )
  expect(said['before']).toMatch(/fd\/40/)
  expect(said['after']).not.toMatch(/fd\/40/)
})
