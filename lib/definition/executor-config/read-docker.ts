import type { InferOutput } from 'valibot'
import { environmentList } from '#lib/definition/dag/environment.ts'
import type { Position } from '#lib/definition/reading/position.ts'
import type { Container } from '../schema/container.ts'
import type { Docker, DockerConfig, SharedContainer } from './docker-config.ts'
import { ordinary } from './ordinary.ts'
import { readPorts } from './ports.ts'

type RawDocker = InferOutput<typeof Docker>
type RawContainer = InferOutput<typeof Container>
/** A container config without the parts that come from the DAG. */
export type ContainerConfig = Omit<DockerConfig, 'shared' | 'registryAuths'>

const nothing = {
  pull: 'missing',
  autoRemove: false,
  container: {},
  host: {},
  network: {},
  exec: { env: [] },
} as const

/** Reads `executor: {type: docker, config}`. */
export function readDockerConfig(raw: RawDocker, position: Position): ContainerConfig {
  const container = ordinary(raw.container ?? {})
  const host = ordinary(raw.host ?? {})
  const env = position.at('container', 'env')
  const binds = [...(raw.volumes ?? []), ...(raw.host?.binds ?? [])]
  return {
    ...nothing,
    ...named({ image: raw.image, containerName: raw.containerName, platform: raw.platform }),
    pull: readPull(raw.pull),
    autoRemove: raw.autoRemove ?? raw.host?.autoRemove ?? false,
    container: {
      ...named({ workingDir: raw.workingDir }),
      ...container,
      ...(env.node !== undefined && { env: environmentList(env) }),
    },
    host: { ...host, ...(binds.length > 0 && { binds }) },
    network: ordinary(raw.network ?? {}),
    exec: readExec(raw.exec, position.at('exec', 'env')),
  }
}

/** Reads `container:` of a step or of the DAG: the name of a running container, or the config of a new one. */
export function readContainer(raw: RawContainer, position: Position): SharedContainer {
  const lifetime = { startup: 'keepalive', command: [], waitFor: 'running' } as const
  if (typeof raw === 'string') {
    if (raw.trim() === '') position.fault('must name a container, is empty')
    return { ...nothing, ...lifetime, containerName: raw }
  }
  const env = environmentList(position.at('env'))
  const user = raw.user === undefined ? undefined : String(raw.user)
  const { workingDir } = raw
  if ((raw.exec === undefined) === (raw.image === undefined)) {
    position.fault('must have either image, to make a container, or exec, the name of a running one')
  }
  if (raw.exec !== undefined) {
    const exec = { ...named({ user, workingDir }), env }
    return { ...nothing, ...lifetime, containerName: raw.exec, exec }
  }
  const ports = readPorts(position.at('ports'))
  return {
    ...nothing,
    ...named({
      image: raw.image,
      containerName: raw.name,
      platform: raw.platform,
      logPattern: raw.logPattern,
    }),
    pull: readPull(raw.pullPolicy),
    autoRemove: raw.keepContainer !== true,
    container: { ...named({ user, workingDir }), ...(env.length > 0 && { env }), ...ports.container },
    host: {
      ...(raw.volumes !== undefined && { binds: raw.volumes }),
      ...(raw.network !== undefined && { networkMode: raw.network }),
      ...(raw.restartPolicy !== undefined && { restartPolicy: { name: raw.restartPolicy } }),
      ...ports.host,
    },
    startup: raw.startup ?? 'keepalive',
    command: [raw.command ?? []].flat(),
    waitFor: raw.waitFor ?? 'running',
  }
}

function readExec(raw: RawDocker['exec'], env: Position): DockerConfig['exec'] {
  return {
    ...named({ user: raw?.user, workingDir: raw?.workingDir }),
    env: env.node === undefined ? [] : environmentList(env),
  }
}

function readPull(raw: RawDocker['pull']): DockerConfig['pull'] {
  if (typeof raw !== 'boolean') return raw ?? 'missing'
  return raw ? 'always' : 'never'
}

/** The entries that are set. */
function named<K extends string>(texts: Readonly<Record<K, string | undefined>>): Partial<Record<K, string>> {
  const given = Object.entries(texts).filter(([, text]) => text !== undefined)
  return Object.fromEntries(given) as Partial<Record<K, string>>
}
