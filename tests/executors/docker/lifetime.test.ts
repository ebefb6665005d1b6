import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type Dockerode from 'dockerode'
import { afterEach, describe, expect, test } from 'vitest'
import { sweepContainers } from '#lib/executors/docker/sweep.ts'
import {
  attempt,
  containers,
  dockerHost,
  fakeRun,
  image,
  isPodman,
  reachEngine,
  sh,
  shared,
  startForeign,
  removeLeftovers,
} from './engine.ts'

const docker = (await reachEngine()) as Dockerode

/** Exits on SIGTERM, and says so. */
const polite = sh('trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.1; done')
/** Ignores SIGTERM. */
const stubborn = sh('trap "" TERM; echo ready; while :; do sleep 0.1; done')

/** The commands of the processes in a container. */
async function processesIn(container: Dockerode.Container): Promise<string[]> {
  const { Processes } = (await container.top({ ps_args: '-eo pid,args' })) as { Processes: string[][] }
  const commands = Processes.map((row) => row.join(' ').replace(/^\s*\d+ +/, ''))
  // In brackets: zombies, which the first process of the container does not reap.
  return commands.filter((command) => !command.startsWith('[')).sort()
}

describe.skipIf(docker === undefined)('the end of a container step', () => {
  afterEach(async () => {
    expect(await removeLeftovers(docker)).toEqual([])
  })

  describe('a stop', () => {
    test('sends SIGTERM, and removes the container even without autoRemove', async () => {
      const { outcome, controller, printed, stdout } = attempt({ image, autoRemove: false }, [polite])
      await printed('ready')
      controller.abort('stopped')
      expect(await outcome).toEqual({ exitCode: 5, error: 'the container was stopped (exit status 5)' })
      expect(stdout()).toBe('ready\nbye\n')
    })

    test('sends the signal that the step names', async () => {
      const program = 'trap "echo interrupted; exit 0" INT; echo ready; while :; do sleep 0.1; done'
      const { outcome, controller, printed, stdout } = attempt({ image }, [sh(program)], {
        signalOnStop: 'SIGINT',
      })
      await printed('ready')
      controller.abort('timed_out')
      expect(await outcome).toEqual({ exitCode: 0, error: '' })
      expect(stdout()).toBe('ready\ninterrupted\n')
    })

    test('kills after the clean-up time', async () => {
      const { outcome, controller, printed } = attempt({ image }, [stubborn], { cleanUpMs: 300 })
      await printed('ready')
      controller.abort('timed_out')
      expect((await outcome).exitCode).toBe(137)
    })

    test('kills at once when the lease is lost', async () => {
      const { outcome, controller, printed } = attempt({ image }, [polite], { cleanUpMs: 600_000 })
      await printed('ready')
      controller.abort('lease_lost')
      expect((await outcome).exitCode).toBe(137)
    })

    test('while the container is being created leaves nothing behind', async () => {
      const events = (await docker.getEvents({ filters: { event: ['create'] } })) as Readable
      const { outcome, controller } = attempt({ image }, ['sleep 3600'])
      await once(events, 'data')
      controller.abort('stopped')
      events.destroy()
      expect((await outcome).exitCode).not.toBe(0)
    })

    test('before the start creates nothing', async () => {
      const controller = new AbortController()
      controller.abort('stopped')
      const { outcome } = attempt({ image }, ['true'], { signal: controller.signal })
      expect(await outcome).toEqual({ exitCode: 143, error: 'the step was stopped before its command began' })
    })

    test('prevents the next command from running', async () => {
      const { outcome, controller, printed, stdout } = attempt({ image }, [polite, 'echo never'])
      await printed('ready')
      controller.abort('stopped')
      expect((await outcome).exitCode).toBe(5)
      expect(stdout()).toBe('ready\nbye\n')
    })
  })

  describe('a stop of a command in a running container', () => {
    test('ends only the command and the processes that it started', async () => {
      const foreign = await startForeign(docker, 'mill')
      const program = `trap "echo bye; exit 5" TERM; setsid sleep 3601 & echo ready; while :; do sleep 0.1; done`
      const { outcome, controller, printed, stdout } = attempt({ containerName: 'mill' }, [sh(program)])
      await printed('ready')
      controller.abort('stopped')
      expect(await outcome).toEqual({ exitCode: 5, error: 'the command was stopped (exit status 5)' })
      expect(stdout()).toBe('ready\nbye\n')
      expect(await processesIn(foreign)).toEqual(['sleep 3600'])
      await foreign.remove({ force: true })
    })

    test('kills a command that ignores the signal, even one of another user', async () => {
      const foreign = await startForeign(docker, 'mill')
      const given = { containerName: 'mill', exec: { user: 'nobody', env: [] } }
      const { outcome, controller, printed } = attempt(given, [stubborn], { cleanUpMs: 300 })
      await printed('ready')
      controller.abort('stopped')
      expect((await outcome).exitCode).toBe(137)
      expect(await processesIn(foreign)).toEqual(['sleep 3600'])
      await foreign.remove({ force: true })
    })

    test.skipIf(isPodman)(
      'reaches a command in an image without a shell if the engine is on this machine',
      async () => {
        const program = 'cd /bin; for f in *; do case $f in busybox|sleep) ;; *) busybox rm $f ;; esac; done'
        const made = await startForeign(docker, 'mill', { Cmd: ['sh', '-c', program] })
        await made.wait()
        await made.commit({ repo: 'millrace-test-bare', tag: '1', changes: 'CMD ["sleep","3600"]' })
        await made.remove()
        const bare = await startForeign(docker, 'mill', { Image: 'millrace-test-bare:1' })
        const { outcome, controller } = attempt({ containerName: 'mill' }, ['sleep 3601'])
        await expect.poll(() => processesIn(bare)).toContain('sleep 3601')
        controller.abort('stopped')
        expect((await outcome).exitCode).not.toBe(0)
        expect(await processesIn(bare)).toEqual(['sleep 3600'])
        await bare.remove({ force: true })
        await docker.getImage('millrace-test-bare:1').remove()
      },
    )

    test('is not confused with the end of the container', async () => {
      const foreign = await startForeign(docker, 'mill')
      const { outcome, printed } = attempt({ containerName: 'mill' }, [stubborn])
      await printed('ready')
      await foreign.remove({ force: true })
      expect((await outcome).error).toBe('the container ended while the command ran in it')
    })
  })

  test('a command in a running container leaves no process behind', async () => {
    const foreign = await startForeign(docker, 'mill')
    const program = 'setsid sleep 3601 >/dev/null 2>&1 & sleep 3602 & echo done'
    const { outcome, stdout } = attempt({ containerName: 'mill' }, [sh(program)])
    expect(await outcome).toEqual({ exitCode: 0, error: '' })
    expect(stdout()).toBe('done\n')
    expect(await processesIn(foreign)).toEqual(['sleep 3600'])
    await foreign.remove({ force: true })
  })

  test('a step waits for a command that has closed its output', async () => {
    const foreign = await startForeign(docker, 'mill')
    const program = 'echo one; exec >&- 2>&-; sleep 1; exit 6'
    const { outcome } = attempt({ containerName: 'mill' }, [sh(program)])
    expect((await outcome).exitCode).toBe(6)
    await foreign.remove({ force: true })
  })

  describe('the container of a DAG', () => {
    test('is created once, shared by its steps, and removed at the end of the run', async () => {
      const run = fakeRun()
      const first = attempt(shared(), [sh('echo fig >/tmp/fruit; hostname')], { run })
      const second = attempt(shared(), ['hostname'], { run })
      expect([(await first.outcome).error, (await second.outcome).error]).toEqual(['', ''])
      const third = attempt(
        { ...shared(), image: 'ignored:1', containerName: 'ignored' },
        ['cat /tmp/fruit'],
        { run },
      )
      expect((await third.outcome).error).toBe('')
      expect(third.stdout()).toBe('fig\n')
      expect(first.stdout()).toBe(second.stdout())
      const [made, ...more] = await containers(docker)
      expect(more).toEqual([])
      expect(made?.Labels).toMatchObject({
        'millrace.run': '7',
        'millrace.token': '1',
        'millrace.dag': 'orchard',
      })
      await run.end()
    })

    test('continues when a step in it is stopped', async () => {
      const run = fakeRun()
      const { outcome, controller, printed } = attempt(shared(), [stubborn], { run, cleanUpMs: 300 })
      await printed('ready')
      controller.abort('stopped')
      expect((await outcome).exitCode).toBe(137)
      const [made] = await containers(docker)
      expect(await processesIn(docker.getContainer(made?.Id ?? ''))).toHaveLength(2)
      await run.end()
    })

    test('is created by the next step if the first could not', async () => {
      const run = fakeRun()
      const missing = attempt(shared({ image: 'not-there:1', pull: 'never' }), ['true'], { run })
      expect((await missing.outcome).error).toMatch(/does not have the image not-there:1/)
      expect(await attempt(shared(), ['true'], { run }).outcome).toEqual({ exitCode: 0, error: '' })
      await run.end()
    })

    test('lives for one step only if the end of the run is not announced', async () => {
      expect(await attempt(shared(), ['true']).outcome).toEqual({ exitCode: 0, error: '' })
    })

    test('may be a running container, which is kept', async () => {
      const foreign = await startForeign(docker, 'tower')
      const { shared: named } = shared({ containerName: 'tower' })
      if (named === undefined) throw new Error('no container')
      const { image: _, ...existing } = named
      const { outcome, stdout } = attempt({ shared: existing }, ['hostname'], { run: fakeRun() })
      expect((await outcome).error).toBe('')
      expect(stdout().trim()).toBe(foreign.id.slice(0, 12))
      await foreign.remove({ force: true })
    })

    test('is not shared with another run that uses the same name', async () => {
      const run = fakeRun()
      expect((await attempt(shared({ containerName: 'tower' }), ['true'], { run }).outcome).error).toBe('')
      const other = fakeRun({ runKey: '8', runId: 'other-run' })
      const { outcome } = attempt(shared({ containerName: 'tower' }), ['true'], { run: other })
      expect((await outcome).error).toBe('the container tower belongs to another run, which is not over')
      await run.end()
    })

    test('is ready when its log matches the pattern', async () => {
      const run = fakeRun()
      const command = ['sh', '-c', 'sleep 1; touch /tmp/ready; echo "listening on 80"; sleep 3600']
      const config = shared({ startup: 'command', command, logPattern: 'listening on \\d+' })
      expect(await attempt(config, ['ls /tmp/ready'], { run }).outcome).toEqual({ exitCode: 0, error: '' })
      await run.end()
    })

    // Podman leaves health checks to systemd.
    test.skipIf(isPodman)('is ready when it is healthy', async () => {
      const run = fakeRun()
      const health = { test: ['CMD', 'ls', '/tmp/ready'], interval: 200_000_000, retries: 100 }
      const config = shared({
        startup: 'command',
        command: ['sh', '-c', 'sleep 1; touch /tmp/ready; sleep 3600'],
        waitFor: 'healthy',
        container: { healthcheck: health },
      })
      expect(await attempt(config, ['ls /tmp/ready'], { run }).outcome).toEqual({ exitCode: 0, error: '' })
      await run.end()
    })

    test('fails the step if it exits before it is ready', async () => {
      const run = fakeRun()
      const config = shared({ startup: 'command', command: ['false'], logPattern: 'ready' })
      expect((await attempt(config, ['true'], { run }).outcome).error).toBe(
        'the container ended with exit status 1 before it was ready',
      )
      await run.end()
    })
  })

  test('a run that is taken over removes the containers of its earlier claims only', async () => {
    const access = { env: { DOCKER_HOST: dockerHost }, settings: { httpAllow: [], jqPath: undefined } }
    const lost = attempt({ image }, [stubborn], { run: fakeRun({ token: '1' }) })
    const other = attempt({ image }, [stubborn], {
      run: fakeRun({ token: '1', runId: 'other' }),
      cleanUpMs: 1,
    })
    const current = attempt({ image }, [stubborn], { run: fakeRun({ token: '2' }), cleanUpMs: 1 })
    await Promise.all([lost.printed('ready'), other.printed('ready'), current.printed('ready')])
    expect(await sweepContainers(fakeRun({ token: '2' }), access)).toBe(1)
    expect((await lost.outcome).exitCode).toBe(137)
    expect((await containers(docker)).map(({ State }) => State)).toEqual(['running', 'running'])
    other.controller.abort('stopped')
    current.controller.abort('stopped')
    await Promise.all([other.outcome, current.outcome])
  })
})
