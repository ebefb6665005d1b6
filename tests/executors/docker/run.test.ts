import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type Dockerode from 'dockerode'
import { afterEach, describe, expect, test } from 'vitest'
import { quoteWord } from '#lib/definition/values/split-words.ts'
import {
  attempt,
  containers,
  image,
  isPodman,
  reachEngine,
  sh,
  startForeign,
  removeLeftovers,
} from './engine.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const docker = (await reachEngine()) as Dockerode

describe.skipIf(docker === undefined)('a container step', () => {
  // Each test removes the containers that it creates itself, so any other is a leftover of a step.
  afterEach(async () => {
    expect(await removeLeftovers(docker)).toEqual([])
  })

  describe('output', () => {
    test('arrives byte for byte, with standard output and standard error separate', async () => {
      const octal = Array.from({ length: 256 }, (_, byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(
        '',
      )
      const pieces: Buffer[] = []
      const { outcome, stderr } = attempt({ image }, [sh(`printf '${octal}'; printf 'nächste Feige' >&2`)], {
        stdout: (bytes) => void pieces.push(Buffer.from(bytes)),
      })
      expect(await outcome).toEqual({ exitCode: 0, error: '' })
      expect(Buffer.concat(pieces)).toEqual(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)))
      expect(stderr()).toBe('nächste Feige')
    })

    test('arrives completely, also 50 MB', async () => {
      let bytes = 0
      const { outcome } = attempt({ image }, ['head -c 50000000 /dev/zero'], {
        stdout: (piece) => {
          bytes += piece.length
          return bytes % 7 === 0 ? Promise.resolve() : undefined
        },
      })
      expect((await outcome).exitCode).toBe(0)
      expect(bytes).toBe(50_000_000)
    })

    test('waits for a slow sink, but a stop does not', async () => {
      let bytes = 0
      const { outcome, controller } = attempt({ image }, ['yes plum'], {
        stdout: (piece) => {
          bytes += piece.length
          controller.abort('stopped')
          return new Promise(() => undefined)
        },
      })
      expect(await outcome).toEqual({
        exitCode: 137,
        error: 'the container was stopped (exit status 137, SIGKILL)',
      })
      expect(bytes).toBeLessThan(100_000)
    })

    test('is one stream for a container with a terminal', async () => {
      const { outcome, stdout } = attempt({ image, container: { tty: true } }, [sh('echo one; echo two >&2')])
      expect((await outcome).exitCode).toBe(0)
      expect(stdout()).toBe('one\r\ntwo\r\n')
    })

    test('fails the step and ends the container if it cannot be stored', async () => {
      const { outcome } = attempt({ image }, ['yes'], {
        stdout: () => Promise.reject(new Error('the disk is full')),
      })
      expect(await outcome).toEqual({ exitCode: 1, error: 'the disk is full' })
    })
  })

  describe('the command', () => {
    test('fails the step with its exit status and the last lines of standard error', async () => {
      const { outcome } = attempt({ image }, [sh('echo rotten >&2; exit 3')])
      expect(await outcome).toEqual({ exitCode: 3, error: 'exit status 3\nrecent stderr (tail):\nrotten' })
    })

    test('has exit status 127 if it does not exist', async () => {
      const { outcome } = attempt({ image }, ['no-such-program'])
      const error = 'exec: "no-such-program": executable file not found in $PATH'
      expect(await outcome).toEqual({ exitCode: 127, error })
    })

    test('gets its arguments literally, whatever characters they contain', async () => {
      const words = ['$(id); `id` && "x" \\ \'y\'', 'zwei\nZeilen', '', '*', '${HOME}', '🍐']
      const { outcome, stdout } = attempt({ image }, [
        `printf '[%s]' ${words.map((word) => quoteWord(word)).join(' ')}`,
      ])
      expect((await outcome).error).toBe('')
      expect(stdout()).toBe(words.map((word) => `[${word}]`).join(''))
    })

    test('may be a list, which runs in one container until a command fails', async () => {
      const commands = [sh('echo fig >/tmp/fruit'), 'cat /tmp/fruit', 'false', 'echo never']
      const { outcome, stdout } = attempt({ image }, commands)
      expect(await outcome).toEqual({ exitCode: 1, error: 'exit status 1' })
      expect(stdout()).toBe('fig\n')
    })

    test('may be omitted for that of the image', async () => {
      const made = await docker.createContainer({ Image: image, Cmd: ['true'] })
      await made.commit({ repo: 'millrace-test-own', tag: '1', changes: 'CMD ["echo","from the image"]' })
      await made.remove()
      const { outcome, stdout } = attempt({ image: 'millrace-test-own:1' }, [])
      expect((await outcome).error).toBe('')
      expect(stdout()).toBe('from the image\n')
      await docker.getImage('millrace-test-own:1').remove()
    })

    test('has an empty standard input', async () => {
      const { outcome, stdout } = attempt({ image }, [sh('cat; echo end')])
      expect((await outcome).exitCode).toBe(0)
      expect(stdout()).toBe('end\n')
    })

    // The engine sometimes loses the event of the kernel when a container is killed so soon after its start.
    const retried = { retry: 2 }
    test.skipIf(isPodman)('is reported as out of memory, if it uses all memory', retried, async () => {
      const host = { memory: 8 * 1024 * 1024, memorySwap: 8 * 1024 * 1024 }
      const { outcome } = attempt({ image, host }, [sh('x=aaaaaaaa; while :; do x=$x$x; done')])
      expect(await outcome).toEqual({
        exitCode: expect.any(Number),
        error: expect.stringMatching(/^the container ran out of memory: exit status/),
      })
    })
  })

  describe('settings', () => {
    test('environment: the container overrides the step, and the machine adds nothing', async () => {
      const { outcome, stdout } = attempt(
        { image, container: { env: ['FRUIT=fig', 'COLOUR=teal'] } },
        ['env'],
        {
          own: { FRUIT: 'plum', TREE: 'oak' },
          env: { SECRET_OF_THE_DAG: 'x' },
        },
      )
      await outcome
      const seen = stdout().trim().split('\n')
      expect(seen).toEqual(
        expect.arrayContaining(['COLOUR=teal', 'FRUIT=fig', 'HOME=/root', 'PATH=/bin', 'TREE=oak']),
      )
      expect(stdout()).not.toMatch(/SECRET_OF_THE_DAG|DOCKER_HOST|nowhere|not.of.the.container/)
    })

    test('workingDir, user and hostname, in any spelling', async () => {
      const container = { WorkingDir: '/tmp', USER: 'nobody', hostname: 'orchard' }
      const { outcome, stdout } = attempt({ image, container }, [sh('pwd; id -un; hostname')])
      expect((await outcome).error).toBe('')
      expect(stdout()).toBe('/tmp\nnobody\norchard\n')
    })

    test('binds, absolute or relative to the working directory, read-only on request', async () => {
      const workingDir = temporaryFolder('docker-test')
      writeFileSync(join(workingDir, 'fruit'), 'fig')
      const binds = [`${workingDir}:/one:ro`, './fruit:/two']
      const program = 'cat /one/fruit /two; echo >/one/new 2>/dev/null || echo " refused"'
      const { outcome, stdout } = attempt({ image, host: { binds } }, [sh(program)], { workingDir })
      expect((await outcome).error).toBe('')
      expect(stdout()).toBe('figfig refused\n')
    })

    test('portBindings publish a port', async () => {
      const portBindings = { 8080: [{ hostIP: '127.0.0.1', hostPort: 18_473 }] }
      const { outcome, printed, stdout } = attempt({ image, host: { portBindings } }, [
        sh('echo listening; echo hello | nc -l -p 8080'),
      ])
      await printed('listening')
      const heard = await hearFrom(18_473)
      expect(heard).toBe('hello\n')
      expect(await outcome).toEqual({ exitCode: 0, error: '' })
      expect(stdout()).toBe('listening\n')
    })

    test('several networks with aliases', async () => {
      const networks = await Promise.all(
        ['orchard-a', 'orchard-b'].map((Name) => docker.createNetwork({ Name })),
      )
      const EndpointsConfig = { 'orchard-a': { Aliases: ['tree'] }, 'orchard-b': { aliases: ['bush'] } }
      const program = 'ip -o -4 addr | grep -vc 127.0.0.1; nslookup tree 127.0.0.11 >/dev/null && echo tree'
      const { outcome, stdout } = attempt({ image, network: { endpointsConfig: EndpointsConfig } }, [
        sh(program),
      ])
      const { error } = await outcome
      await Promise.all(networks.map((network) => network.remove()))
      expect(stdout()).toMatch(/^2\n/)
      expect(error).not.toMatch(/network/)
    })

    test('autoRemove: false keeps a container that exited by itself', async () => {
      const { outcome } = attempt({ image, autoRemove: false }, ['echo kept'])
      expect((await outcome).exitCode).toBe(0)
      const [kept] = await containers(docker)
      expect([kept?.State, kept?.Labels['millrace.step']]).toEqual(['exited', 'step'])
      const log = await docker.getContainer(kept?.Id ?? '').logs({ stdout: true })
      expect(log.toString()).toContain('kept')
      await docker.getContainer(kept?.Id ?? '').remove()
    })

    test('a platform without an image is reported', async () => {
      const { outcome } = attempt({ image, platform: 'linux/s390x', pull: 'never' }, ['true'])
      expect((await outcome).error).toBe(
        `the engine does not have the image ${image}, and the step never pulls it`,
      )
    })
  })

  describe('containerName', () => {
    test('alone must name a running container', async () => {
      expect(await attempt({ containerName: 'nobody-here' }, ['true']).outcome).toEqual({
        exitCode: 1,
        error: 'the container nobody-here is not running',
      })
      const stopped = await docker.createContainer({ name: 'asleep', Image: image, Cmd: ['true'] })
      expect((await attempt({ containerName: 'asleep' }, ['true']).outcome).error).toBe(
        'the container asleep is not running',
      )
      await stopped.remove()
    })

    test('alone runs the command in the container with the exec settings, and keeps the container', async () => {
      const foreign = await startForeign(docker, 'barn')
      const exec = { user: 'nobody', workingDir: '/tmp', env: ['FRUIT=fig'] }
      const { outcome, stdout, stderr } = attempt(
        { containerName: 'barn', exec },
        [sh('id -un; pwd; echo $FRUIT $TREE; echo oops >&2; exit 4')],
        { own: { TREE: 'oak' } },
      )
      expect(await outcome).toEqual({ exitCode: 4, error: 'exit status 4\nrecent stderr (tail):\noops' })
      expect([stdout(), stderr()]).toEqual(['nobody\n/tmp\nfig oak\n', 'oops\n'])
      expect((await foreign.inspect()).State.Running).toBe(true)
      await foreign.remove({ force: true })
    })

    test('alone needs a command', async () => {
      const foreign = await startForeign(docker, 'barn')
      expect((await attempt({ containerName: 'barn' }, []).outcome).error).toBe(
        'a step in a running container needs a command',
      )
      await foreign.remove({ force: true })
    })

    test('with an image uses the running container', async () => {
      const foreign = await startForeign(docker, 'barn')
      const { outcome, stdout } = attempt({ containerName: 'barn', image }, ['hostname'])
      expect((await outcome).exitCode).toBe(0)
      expect(stdout().trim()).toBe(foreign.id.slice(0, 12))
      await foreign.remove({ force: true })
    })

    test('with an image creates a missing container with the settings, repeatedly', async () => {
      for (const round of ['first', 'second']) {
        const { outcome, stdout } = attempt(
          { containerName: 'shed', image, autoRemove: false, container: { env: [`ROUND=${round}`] } },
          [sh('echo $ROUND')],
        )
        expect((await outcome).error).toBe('')
        expect(stdout()).toBe(`${round}\n`)
      }
      const [kept, ...more] = await containers(docker)
      expect([kept?.Names, more]).toEqual([['/shed'], []])
      await docker.getContainer('shed').remove()
    })

    test('with an image renames a stopped container of somebody else and keeps it', async () => {
      const foreign = await startForeign(docker, 'shed', { Cmd: ['true'] })
      await foreign.wait()
      const { outcome, stdout } = attempt({ containerName: 'shed', image }, ['echo new'])
      expect((await outcome).error).toBe('')
      expect(stdout()).toBe('new\n')
      expect((await foreign.inspect()).Name).toBe(`/shed-${foreign.id.slice(0, 12)}`)
      await foreign.remove()
    })

    test('shared by two concurrent steps is created by one and used by both', async () => {
      const first = attempt({ containerName: 'shed', image }, [sh('hostname; sleep 3600')])
      const second = attempt({ containerName: 'shed', image }, [sh('hostname; sleep 3600')])
      await Promise.all([first.printed('\n'), second.printed('\n')])
      expect(first.stdout()).toBe(second.stdout())
      first.controller.abort('stopped')
      second.controller.abort('stopped')
      await Promise.all([first.outcome, second.outcome])
    })

    test('must not be a path into the API of the engine', async () => {
      expect((await attempt({ containerName: '../images/x' }, ['true']).outcome).error).toBe(
        '"../images/x" cannot be the name of a container',
      )
    })
  })
})

/** Everything that the server on this port sends. */
async function hearFrom(port: number): Promise<string> {
  for (;;) {
    const heard = await new Promise<string | undefined>((resolve) => {
      let text = ''
      const socket = connect(port, '127.0.0.1')
      socket.on('data', (bytes) => (text += bytes.toString()))
      socket.on('error', () => resolve(undefined))
      socket.on('close', () => resolve(text === '' ? undefined : text))
    })
    if (heard !== undefined) return heard
  }
}
