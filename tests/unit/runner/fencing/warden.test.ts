import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { isGroupAlive } from '#lib/executors/shell/process-group.ts'
import { startWarden, type Warden } from '#lib/runner/fencing/warden.ts'
import { wardenScript } from '#lib/runner/fencing/warden-script.ts'
import { makeStepFolder, removeStepFolder } from '#lib/executors/shell/step-folder.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const wardenFile = fileURLToPath(new URL('../../../../lib/runner/fencing/warden.ts', import.meta.url))
const folderFile = fileURLToPath(new URL('../../../../lib/executors/shell/step-folder.ts', import.meta.url))
const started: ChildProcess[] = []
const wardens: Warden[] = []

afterEach(async () => {
  await Promise.all(wardens.splice(0).map((warden) => warden.close()))
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** False also for a process that was killed and waits for its parent, which is this one. */
function isExecuting(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

function begin(argv: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const [file = '', ...args] = argv
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  started.push(child)
  return child
}

function hire(
  given: { owner?: string; mark?: string; onExpired?: () => void; onReplaced?: () => void } = {},
): Warden {
  const warden = startWarden({
    owner: `test-${process.pid}`,
    mark: `MARK=${process.pid}.${started.length}.`,
    onExpired: () => undefined,
    onReplaced: () => undefined,
    ...given,
  })
  wardens.push(warden)
  return warden
}

interface Played {
  readonly runner: ChildProcess
  /** The process id of the step. */
  readonly step: number
  readonly folders: readonly string[]
}

/** A process in the role of the runner: it starts a warden and a step, and makes two temporary folders. */
async function playRunner(leaseMs: number): Promise<Played> {
  const source = `
    import { spawn } from 'node:child_process'
    import { startWarden } from ${JSON.stringify(wardenFile)}
    const warden = startWarden({ owner: 'player', mark: 'NONE=x', onExpired() {}, onReplaced() {} })
    import { makeStepFolder } from ${JSON.stringify(folderFile)}
    warden.renewed(${leaseMs})
    const step = spawn('sh', ['-c', 'sleep 60 & wait'], { detached: true, stdio: 'ignore' })
    warden.group({ pgid: step.pid, alive: true })
    console.log(step.pid, makeStepFolder('step', 'player'), makeStepFolder('run', 'player'))
    setInterval(() => undefined, 1000)`
  const runner = begin([process.execPath, '--input-type=module', '-e', source])
  const [line] = (await once(runner.stdout ?? runner, 'data')) as [Buffer]
  const [step, ...folders] = line.toString().trim().split(' ')
  for (const folder of folders) writeFileSync(join(folder, 'script'), 'secret')
  return { runner, step: Number(step), folders }
}

describe('the warden', () => {
  test('kills the groups of a runner that was killed, and removes its scripts', async () => {
    const other = makeStepFolder('step', 'other')
    onTestFinished(() => removeStepFolder(other))
    const { runner, step, folders } = await playRunner(60_000)
    runner.kill('SIGKILL')
    await expect.poll(() => isGroupAlive(step), { timeout: 15_000 }).toBe(false)
    await expect.poll(() => folders.filter((folder) => existsSync(folder)), { timeout: 15_000 }).toEqual([])
    expect(existsSync(other)).toBe(true)
  })

  test('kills the groups of a runner that is stopped past its lease, and removes its scripts', async () => {
    const { runner, step, folders } = await playRunner(1_000)
    runner.kill('SIGSTOP')
    await expect.poll(() => isGroupAlive(step), { timeout: 15_000 }).toBe(false)
    await expect.poll(() => folders.filter((folder) => existsSync(folder)), { timeout: 15_000 }).toEqual([])
  })

  test('searches and removes by the rights of steps', async () => {
    const top = temporaryFolder('warden')
    const own = mkdtempSync(join(top, 'step-mine-'))
    const asStep = join(top, 'as-step')
    writeFileSync(asStep, `#!/bin/sh\necho "$1" >> ${top}/asked\nexec "$@"\n`, { mode: 0o700 })
    const words = ['-c', wardenScript, 'warden', 'MARK=none', top, 'step-mine-', 'run-mine-', asStep]
    const warden = spawn('/bin/sh', words, { stdio: ['pipe', 'ignore', 'ignore'] })
    started.push(warden)
    warden.stdin.end()
    await once(warden, 'exit')
    expect(existsSync(own)).toBe(false)
    expect(readFileSync(join(top, 'asked'), 'utf8')).toBe('grep\nid\nfind\n')
  })

  test('kills its groups when it is closed, except those reported as gone', async () => {
    const [kept, gone] = [begin(['sleep', '60']), begin(['sleep', '60'])]
    const warden = hire()
    for (const child of [gone, kept]) warden.group({ pgid: child.pid ?? 0, alive: true })
    warden.group({ pgid: gone.pid ?? 0, alive: false })
    await warden.close()
    await expect.poll(() => isGroupAlive(kept.pid ?? 0)).toBe(false)
    expect(isGroupAlive(gone.pid ?? 0)).toBe(true)
  })

  test('reports expired leases after everything is dead, and continues', async () => {
    const child = begin(['sleep', '60'])
    let expired = 0
    const aliveAtExpiry: boolean[] = []
    const warden = hire({
      onExpired: () => {
        expired++
        aliveAtExpiry.push(isExecuting(child.pid ?? 0))
      },
    })
    warden.group({ pgid: child.pid ?? 0, alive: true })
    warden.renewed(1_000)
    await expect.poll(() => expired, { timeout: 15_000 }).toBe(1)
    expect(aliveAtExpiry).toEqual([false])
    const next = begin(['sleep', '60'])
    warden.group({ pgid: next.pid ?? 0, alive: true })
    await warden.close()
    await expect.poll(() => isGroupAlive(next.pid ?? 0)).toBe(false)
  })

  test('reports expired leases once, before the end of a group that it killed', async () => {
    const child = begin(['sleep', '60'])
    const group = { pgid: child.pid ?? 0, alive: true }
    let expired = 0
    const warden = hire({ onExpired: () => expired++, onReplaced: () => expect.fail('replaced') })
    warden.group(group)
    warden.renewed(1_000)
    await once(child, 'exit')
    warden.group({ ...group, alive: false })
    expect(expired).toBe(1)
    const before = warden.pid()
    await expect.poll(() => warden.pid() !== before, { timeout: 15_000 }).toBe(true)
    expect(expired).toBe(1)
  })

  test('kills nothing while renewals come', async () => {
    const child = begin(['sleep', '60'])
    const warden = hire()
    warden.group({ pgid: child.pid ?? 0, alive: true })
    for (let n = 0; n < 50; n++) warden.renewed(1_000 + n)
    warden.renewed(60_000)
    let expired = 0
    hire({ onExpired: () => expired++ }).renewed(1_200)
    await expect.poll(() => expired, { timeout: 15_000 }).toBe(1)
    expect(isGroupAlive(child.pid ?? 0)).toBe(true)
  })

  test('finds marked processes that left their group', async () => {
    const mark = `MARK=${process.pid}.away.`
    const leader = begin(['sh', '-c', 'setsid sleep 61 & echo $!; wait'], { MARK: `${process.pid}.away.1` })
    const [line] = (await once(leader.stdout ?? leader, 'data')) as [Buffer]
    const away = Number(line.toString())
    const warden = hire({ mark })
    await warden.close()
    const alive = (): boolean => {
      try {
        return process.kill(away, 0) && isGroupAlive(away)
      } catch {
        return false
      }
    }
    await expect.poll(alive, { timeout: 15_000 }).toBe(false)
  })

  test('is replaced when it dies, and the next one knows the groups', async () => {
    const child = begin(['sleep', '60'])
    let replaced = 0
    const warden = hire({ onReplaced: () => replaced++ })
    warden.group({ pgid: child.pid ?? 0, alive: true })
    const first = warden.pid() ?? 0
    process.kill(first, 'SIGKILL')
    await expect.poll(() => replaced, { timeout: 15_000 }).toBe(1)
    await expect.poll(() => warden.pid() !== first, { timeout: 15_000 }).toBe(true)
    expect(isGroupAlive(child.pid ?? 0)).toBe(true)
    await warden.close()
    expect(isGroupAlive(child.pid ?? 0)).toBe(false)
  })
})
