import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openEngine } from '#lib/executors/docker/client.ts'
import { createRequest, type ContainerPlan } from '#lib/executors/docker/create-options.ts'
import { faultOf } from '#lib/executors/docker/engine-fault.ts'
import { readImage } from '#lib/executors/docker/names.ts'
import { credentialsFor } from '#lib/executors/docker/registry-auth.ts'
import type { DockerSettings, ExecutorSettings } from '#lib/executors/executor.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const workingDir = temporaryFolder('docker-test')

interface Given extends Partial<ContainerPlan> {
  readonly allow?: NonNullable<DockerSettings['allow']>
  readonly socketPath?: string | undefined
  readonly fileBounds?: NonNullable<ExecutorSettings['fileBounds']>
}

function request({ allow = [], fileBounds = [], socketPath = '/tmp/engine/docker.sock', ...given }: Given) {
  const plan: ContainerPlan = {
    image: 'alpine',
    container: {},
    host: {},
    network: {},
    entrypoint: undefined,
    command: undefined,
    env: [],
    labels: {},
    isLogKept: true,
    mayRestart: false,
    ...given,
  }
  const settings = { httpAllow: [], jqPath: undefined, docker: { allow }, fileBounds }
  return createRequest(plan, { workingDir, env: { HOME: '/home/miller' }, settings }, { socketPath })
}

const host = (settings: Given['host'], more: Omit<Given, 'host'> = {}) =>
  request({ host: settings ?? {}, ...more }).body['hostConfig']

describe('a setting that gives power over the machine', () => {
  const links = temporaryFolder('docker-test')
  symlinkSync('/', join(links, 'innocent'))
  mkdirSync(join(links, 'folder'))

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['privileged mode', { privileged: true }, /^privileged is refused/],
    ['privileged mode in another spelling', { PRIVILEGED: true }, /^privileged is refused/],
    ['a bind of the root', { binds: ['/:/host:ro'] }, /^the bind of \/ is refused/],
    [
      'a bind of the root by a path with dots',
      { Binds: ['/tmp/..:/host'] },
      /^the bind of \/tmp\/\.\. is refused/,
    ],
    ['a bind of the root through a link', { binds: [`${links}/innocent:/host`] }, /innocent is refused/],
    ['a relative bind of the root', { binds: ['../../../../../..:/host'] }, /is refused/],
    ['a mount of the root', { mounts: [{ type: 'bind', source: '/', target: '/host' }] }, /^the bind of \//],
    ['a mount with a colon', { mounts: [{ Source: '/tmp/a:/../..', Target: '/host' }] }, /is refused/],
    [
      'a volume that is a bind of the root',
      {
        mounts: [
          { Type: 'volume', VolumeOptions: { driverConfig: { Options: { device: '/', o: 'bind' } } } },
        ],
      },
      /^the bind of \/ is refused/,
    ],
    ['a bind of the system settings', { binds: ['/etc/:/host'] }, /^the bind of \/etc\/ is refused/],
    [
      'a writable bind in a folder of the system',
      { binds: ['/etc/cron.d:/x:rw'] },
      /^the bind of \/etc\/cron.d is refused/,
    ],
    ['a bind of the keys of root', { binds: ['/root/.ssh:/x:ro'] }, /^the bind of \/root\/.ssh is refused/],
    [
      'a writable mount in a folder of the system',
      { mounts: [{ Type: 'bind', Source: '/usr/local/bin', Target: '/x' }] },
      /^the bind of \/usr\/local\/bin is refused/,
    ],
    ['a bind of the home of root', { binds: ['/opt/../root:/host'] }, /is refused/],
    ["a bind of the engine's socket", { binds: ['/tmp/engine/docker.sock:/s'] }, /socket of the engine/],
    ['a bind of the folder of the socket', { binds: ['/tmp/engine:/s'] }, /socket of the engine/],
    ['a bind of the usual socket', { binds: ['/var/run/docker.sock:/s'] }, /socket of the engine/],
    ['a bind of the folder of sockets', { binds: ['/run:/s'] }, /socket of the engine/],
    ['a strong capability', { capAdd: ['NET_ADMIN', 'sys_admin'] }, /capability sys_admin is refused/],
    [
      'a strong capability outside of a list',
      { capAdd: 'CAP_SYS_ADMIN' },
      /capability CAP_SYS_ADMIN is refused/,
    ],
    ['the process namespace of the machine', { pidMode: 'host' }, /^pidmode: host is refused/],
    ['no seccomp', { securityOpt: ['seccomp=unconfined'] }, /seccomp=unconfined is refused/],
    ['a device', { devices: [{ PathOnHost: '/dev/sda' }] }, /^devices is refused/],
    ['unmasked paths', { maskedPaths: [] }, /^maskedpaths is refused/],
    ['the mounts of another container', { volumesFrom: ['other'] }, /^volumesfrom is refused/],
    ['a setting twice', { privileged: false, Privileged: true }, /^host gives Privileged twice/],
    ['a letter that only looks like another', { bindſ: ['/:/host'] }, /^host has no setting/],
  ])('%s is refused', (_, settings, message) => {
    expect(() => host(settings)).toThrow(message)
  })

  test('is allowed if the deployment allows this kind', () => {
    expect(host({ privileged: true }, { allow: ['privileged'] })).toMatchObject({ privileged: true })
    expect(host({ binds: ['/:/host'] }, { allow: ['root'] })).toMatchObject({ binds: ['/:/host'] })
    expect(host({ binds: ['/run:/s'] }, { allow: ['socket'] })).toMatchObject({ binds: ['/run:/s'] })
    expect(() => host({ privileged: true }, { allow: ['root', 'socket'] })).toThrow(/privileged/)
  })

  test('is not confused with a harmless one', () => {
    const binds = [
      'data:/data',
      '/etc/localtime:/etc/localtime:ro',
      '/tmp/engineering:/e',
      '/home/a:/b',
      `${links}/folder:/c`,
    ]
    expect(host({ binds, capAdd: ['NET_ADMIN'], privileged: false })).toMatchObject({ binds })
  })

  test('is a bind outside of the allowed folders, by any path', () => {
    const fileBounds = [{ folders: [join(links, 'folder')], fault: 'is outside of the roots' }]
    expect(host({ binds: [`${links}/folder/x:/a`, 'data:/data'] }, { fileBounds })).toBeDefined()
    for (const bind of [links, `${links}/folder/../../elsewhere`, '.']) {
      expect(() => host({ binds: [`${bind}:/a`] }, { fileBounds })).toThrow(/is outside of the roots/)
    }
  })

  test('cannot be smuggled into the settings of the container', () => {
    expect(() => request({ container: { HostConfig: { Privileged: true } } })).toThrow(
      /has no setting hostconfig/,
    )
  })

  test('is refused on a remote engine too, where links cannot be checked', () => {
    expect(() => host({ binds: ['//tmp/../:/host'] }, { socketPath: undefined })).toThrow(/is refused/)
  })
})

describe('the request for a container', () => {
  test('takes ports as a map or a list, and sends them as text', () => {
    const { body } = request({
      container: { exposedPorts: ['53/udp', 80] },
      host: {
        portBindings: { 8080: [{ hostIP: '127.0.0.1', hostPort: 18_080 }], '9/udp': { HostPort: '9' } },
      },
    })
    expect(body['exposedports']).toEqual({ '53/udp': {}, '80/tcp': {}, '8080/tcp': {}, '9/udp': {} })
    expect(body['hostConfig']).toMatchObject({
      portbindings: {
        '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: '18080' }],
        '9/udp': [{ HostIp: '', HostPort: '9' }],
      },
    })
  })

  test('makes binds absolute, from the working directory or from home', () => {
    expect(host({ binds: ['./a:/a', '.:/here', '~/b:/b:ro', 'volume:/v'] })).toMatchObject({
      binds: [`${workingDir}/a:/a`, `${workingDir}:/here`, '/home/miller/b:/b:ro', 'volume:/v'],
    })
  })

  test('joins the first network on creation, the others before the start', () => {
    const EndpointsConfig = { one: { Aliases: ['a'] }, two: { Aliases: ['b'] } }
    const { body, networks } = request({ network: { EndpointsConfig } })
    expect(body['hostConfig']).toMatchObject({ networkmode: 'one' })
    expect(body['networkingConfig']).toEqual({ EndpointsConfig: { one: { Aliases: ['a'] } } })
    expect(networks).toEqual([['two', { Aliases: ['b'] }]])
  })

  test('never lets the engine remove or restart a container that a step waits for', () => {
    expect(host({ autoRemove: true, restartPolicy: { Name: 'always' }, init: true })).toEqual({
      init: true,
      portbindings: {},
      binds: [],
    })
  })

  test('has our labels even if the step sets the same ones', () => {
    const { body } = request({
      container: { labels: { 'millrace.token': 'forged', fruit: 'fig' } },
      labels: { 'millrace.token': '3' },
    })
    expect(body['labels']).toEqual({ 'millrace.token': '3', fruit: 'fig' })
  })
})

describe('the engine', () => {
  const settings = { httpAllow: [], jqPath: undefined }
  const deployed = { ...settings, docker: { host: 'tcp://10.0.0.1:2375' } }

  test("is the step's, then the deployment's, then this machine's", () => {
    const address = (env: Record<string, string>, set: typeof settings) =>
      openEngine({ env, settings: set }).address
    expect(address({ DOCKER_HOST: 'tcp://10.0.0.2:2375' }, deployed)).toBe('tcp://10.0.0.2:2375')
    expect(address({}, deployed)).toBe('tcp://10.0.0.1:2375')
    expect(address({}, settings)).toMatch(/^unix:\/\/\/.*\.sock$/)
  })

  test.each(['ssh://host', 'fd://', 'tcp://', 'tcp://:99999'])('cannot be %s', (DOCKER_HOST) => {
    expect(() => openEngine({ env: { DOCKER_HOST }, settings })).toThrow(/^DOCKER_HOST=.* cannot be used: /)
  })

  test('is not taken from the environment of the service', () => {
    const before = process.env['DOCKER_HOST']
    process.env['DOCKER_HOST'] = 'tcp://10.0.0.3:2375'
    try {
      const { docker } = openEngine({ env: { DOCKER_HOST: 'unix:///tmp/x.sock' }, settings })
      expect(docker.modem).toMatchObject({ host: undefined, socketPath: '/tmp/x.sock' })
    } finally {
      if (before === undefined) delete process.env['DOCKER_HOST']
      else process.env['DOCKER_HOST'] = before
    }
  })

  test('that does not answer is reported with its address', () => {
    const error = Object.assign(new Error('connect ENOENT /x'), { code: 'ENOENT' })
    expect(faultOf(error, { address: 'unix:///x' }).message).toBe(
      'no container engine answers at unix:///x: connect ENOENT /x',
    )
  })
})

describe('passwords of registries', () => {
  const bare = { httpAllow: [], jqPath: undefined }
  const authConfig = JSON.stringify({ auths: { 'quay.io': { username: 'service', password: 's' } } })
  const access = { env: {}, settings: { ...bare, docker: { authConfig } } }

  test.each([
    ['alpine', 'docker.io', 'alpine', 'latest'],
    ['library/alpine:3', 'docker.io', 'library/alpine', '3'],
    ['localhost/a/b', 'localhost', 'localhost/a/b', 'latest'],
    ['host:5000/a:1', 'host:5000', 'host:5000/a', '1'],
    ['ghcr.io/a/b:1@sha256:00', 'ghcr.io', 'ghcr.io/a/b', 'sha256:00'],
  ])('are looked up for the registry of %s', (image, registry, repository, tag) => {
    expect(readImage(image)).toEqual({ registry, repository, tag })
  })

  test("are found for Docker's registry under all its names", () => {
    const auths = { 'https://index.docker.io/v1/': { username: 'a', password: 'b' } }
    expect(credentialsFor('docker.io', auths, access, { isOfStep: false })).toMatchObject({ username: 'a' })
  })

  test('of the deployment are not sent to an engine that the step chose', () => {
    expect(credentialsFor('quay.io', {}, access, { isOfStep: false })).toMatchObject({ username: 'service' })
    expect(credentialsFor('quay.io', {}, access, { isOfStep: true })).toBeUndefined()
  })

  test('are reported if they are not JSON', () => {
    const env = { DOCKER_AUTH_CONFIG: 'secret' }
    expect(() => credentialsFor('quay.io', {}, { ...access, env }, { isOfStep: false })).toThrow(
      /^DOCKER_AUTH_CONFIG is not JSON/,
    )
  })
})
