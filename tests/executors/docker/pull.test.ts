import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type Dockerode from 'dockerode'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt, containers, reachEngine, startForeign } from './engine.ts'
import { startRegistry, type Registry } from './registry.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const docker = (await reachEngine()) as Dockerode

const username = 'miller'
const password = 'fig & plum'
const auth = { username, password }

describe.skipIf(docker === undefined)('the image of a container step', () => {
  let registry: Registry
  let remote: string

  beforeAll(async () => {
    registry = await startRegistry(username, password)
    remote = `${registry.host}/orchard/tools:1`
    // A unique layer: the engine would not download one that it has.
    const made = await startForeign(docker, `press-${randomUUID()}`, {
      Cmd: ['sh', '-c', 'head -c 100000 /dev/urandom >/data'],
    })
    await made.wait()
    await made.commit({ repo: `${registry.host}/orchard/tools`, tag: '1' })
    await made.remove()
    const authconfig = { ...auth, serveraddress: registry.host }
    const pushing = (await docker.getImage(remote).push({ authconfig })) as Readable
    const said = Buffer.concat(await pushing.toArray()).toString()
    if (said.includes('"error"')) throw new Error(said)
    await docker.getImage(remote).remove()
  })

  afterAll(async () => {
    if (docker === undefined) return
    expect(await containers(docker)).toEqual([])
    await registry.close()
  })

  const registryAuths = (): Record<string, typeof auth> => ({ [registry.host]: auth })

  test('is pulled once if it is missing, with the password of the DAG', async () => {
    const first = attempt({ image: remote, registryAuths: registryAuths() }, ['echo pulled'])
    expect(await first.outcome).toEqual({ exitCode: 0, error: '' })
    const before = registry.pulls()
    expect(before).toBeGreaterThan(0)
    expect((await attempt({ image: remote }, ['true']).outcome).error).toBe('')
    expect(registry.pulls()).toBe(before)
  })

  test('is requested every time with pull: always', async () => {
    const before = registry.pulls()
    const config = { image: remote, pull: 'always', registryAuths: registryAuths() } as const
    expect((await attempt(config, ['true']).outcome).error).toBe('')
    expect(registry.pulls()).toBeGreaterThan(before)
  })

  test('is pulled with the password from an environment variable', async () => {
    const both = Buffer.from(`${username}:${password}`).toString('base64')
    const DOCKER_AUTH_CONFIG = JSON.stringify({ auths: { [`http://${registry.host}/v2/`]: { auth: both } } })
    const config = { image: remote, pull: 'always' } as const
    expect((await attempt(config, ['true'], { env: { DOCKER_AUTH_CONFIG } }).outcome).error).toBe('')
  })

  test('is pulled with the password of the Docker client', async () => {
    const HOME = temporaryFolder('docker-test')
    mkdirSync(join(HOME, '.docker'))
    writeFileSync(join(HOME, '.docker', 'config.json'), JSON.stringify({ auths: registryAuths() }))
    const config = { image: remote, pull: 'always' } as const
    expect((await attempt(config, ['true'], { env: { HOME } }).outcome).error).toBe('')
  })

  test('is not pulled without a password, or with a wrong one', async () => {
    for (const auths of [{}, { [registry.host]: { username, password: 'wrong' } }]) {
      const config = { image: remote, pull: 'always', registryAuths: auths } as const
      const { exitCode, error } = await attempt(config, ['true']).outcome
      expect(exitCode).toBe(1)
      expect(error).toMatch(/^the image .*\/orchard\/tools:1 cannot be pulled: .*no basic auth|unauthorized/)
    }
  })

  test('is reported in one sentence if the registry does not have it', async () => {
    const missing = `${registry.host}/orchard/missing:2`
    const { outcome } = attempt({ image: missing, registryAuths: registryAuths() }, ['true'])
    const { error } = await outcome
    expect(error).toContain(`the image ${missing} cannot be pulled: `)
    expect(error).not.toContain('\n')
  })

  test('is not requested under an invalid name', async () => {
    expect((await attempt({ image: 'a/../../containers' }, ['true']).outcome).error).toBe(
      '"a/../../containers" cannot be the name of an image',
    )
  })

  test('leaves nothing behind if a stop interrupts the download', async () => {
    await docker.getImage(remote).remove()
    const stalled = registry.stall()
    const { outcome, controller } = attempt({ image: remote, registryAuths: registryAuths() }, ['true'])
    await stalled
    controller.abort('stopped')
    expect(await outcome).toEqual({ exitCode: 143, error: 'the step was stopped before its command began' })
    await expect(docker.getImage(remote).inspect()).rejects.toThrow(/no such image/i)
  })
})
