import type { Readable } from 'node:stream'
import type { DockerConfig } from '#lib/definition/executor-config/docker-config.ts'
import type { EngineAddress, Engine } from './client.ts'
import { ContainerFault, faultOf, statusOf } from './engine-fault.ts'
import { mapOf } from './engine-settings.ts'
import { readImage, requireImage } from './names.ts'
import { credentialsFor } from './registry-auth.ts'
import { unlessAborted } from './waiting.ts'

export type ImageRequest = Pick<DockerConfig, 'pull' | 'registryAuths' | 'platform'> & {
  readonly image: string
  /** Aborts a download; the engine then discards what it has received. */
  readonly signal: AbortSignal
}

/**
 * Ensures that the engine has an image, by the pull policy of the step.
 * @throws ContainerFault when it is missing and cannot, or must not, be downloaded
 */
export async function provideImage(
  engine: Engine,
  request: ImageRequest,
  address: EngineAddress,
): Promise<void> {
  const image = requireImage(request.image)
  if (request.pull !== 'always' && (await hasImage(engine, image, request))) return
  if (request.pull === 'never') {
    throw new ContainerFault(`the engine does not have the image ${image}, and the step never pulls it`)
  }
  try {
    await pullImage(engine, image, request, address)
  } catch (error) {
    request.signal.throwIfAborted()
    throw new ContainerFault(`the image ${image} cannot be pulled: ${faultOf(error, engine).message}`)
  }
  if (!(await hasImage(engine, image, request))) {
    throw new ContainerFault(`the image ${image} cannot be pulled: the engine does not say why`)
  }
}

/** Characters of one line of the engine's progress. */
const progressLineMax = 1_048_576

async function hasImage(engine: Engine, image: string, { platform, signal }: ImageRequest): Promise<boolean> {
  try {
    const found = await unlessAborted(engine.docker.getImage(image).inspect(), signal)
    return platform === undefined || isFor(platform, found)
  } catch (error) {
    if (statusOf(error) === 404) return false
    throw error
  }
}

/** `os[/architecture[/variant]]`, or an architecture alone. */
function isFor(platform: string, { Os, Architecture }: { Os: string; Architecture: string }): boolean {
  const parts = platform.toLowerCase().split('/')
  const [os, architecture] = parts.length === 1 ? [Os, parts[0]] : parts
  const same = new Map([
    ['x86_64', 'amd64'],
    ['x86-64', 'amd64'],
    ['aarch64', 'arm64'],
  ])
  const plain = architecture === undefined ? undefined : (same.get(architecture) ?? architecture)
  return (
    os === Os.toLowerCase() && (plain === undefined || plain === Architecture.toLowerCase() || plain === Os)
  )
}

async function pullImage(
  engine: Engine,
  image: string,
  { registryAuths, platform, signal }: ImageRequest,
  address: EngineAddress,
): Promise<void> {
  const { registry, repository, tag } = readImage(image)
  const authconfig = credentialsFor(registry, registryAuths, address, engine)
  const progress = (await engine.docker.createImage({
    fromImage: repository,
    tag,
    ...(platform !== undefined && { platform }),
    ...(authconfig !== undefined && { authconfig }),
    abortSignal: signal,
  })) as Readable
  // The status is sent before the download. A later error is one of the lines of the answer.
  let rest = ''
  for await (const text of progress.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) refuseFault(line)
    if (rest.length > progressLineMax) throw new Error('the engine sent a line that is too long')
  }
  refuseFault(rest)
  signal.throwIfAborted()
}

function refuseFault(line: string): void {
  if (!line.includes('"error"')) return
  const { error } = mapOf(JSON.parse(line))
  if (typeof error === 'string' && error !== '') throw new ContainerFault(error.trim())
}
