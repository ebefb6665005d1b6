import type { Position } from '../reading/position.ts'
import { readShape } from '../reading/shape.ts'
import { Docker, type DockerConfig } from './docker-config.ts'
import { readContainer, readDockerConfig } from './read-docker.ts'
import { lenient, type ConfigPosition, type ExecutorRecord } from './record.ts'

export const docker: ExecutorRecord = {
  spellings: ['container'],
  description: 'runs a command in a container',
  config: Docker,
  command: 'many',
  script: 'none',
  texts: 'words',
  inherited: 'they run in the container of the DAG, type: shell runs outside of it',
  readConfig,
}

function readConfig({ raw, position, at, defaults }: ConfigPosition): DockerConfig {
  const { registryAuths, container: shared } = defaults
  const own = raw.container
  const read = readShape(Docker, at, lenient)
  if (own !== undefined && at.isGiven) at.fault('must not be combined with container')
  const config: Omit<DockerConfig, 'registryAuths'> =
    own === undefined
      ? readDockerConfig(read.value ?? {}, read.position)
      : readContainer(own, position.at('container'))
  const isReadable = !at.isGiven || read.value !== undefined
  if (own === undefined && shared === undefined && isReadable && !namesContainer(config, read.position)) {
    ;(at.isGiven ? at : position).fault('needs image or containerName')
  }
  return { ...config, registryAuths, ...(shared !== undefined && { shared }) }
}

/** A name that is given but refused has its own fault. */
function namesContainer(config: Pick<DockerConfig, 'image' | 'containerName'>, position: Position): boolean {
  return (['image', 'containerName'] as const).some((field) => {
    const name = config[field]
    return name === undefined ? position.at(field).isGiven : name.trim() !== ''
  })
}
