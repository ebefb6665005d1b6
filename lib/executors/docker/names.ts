import { ContainerFault } from './engine-fault.ts'

/** Names stand in paths of the engine's API: nothing else may. */
const nameForm = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/
const imageForm = /^[a-zA-Z0-9](?:[\w.-]|[/:@](?=[a-zA-Z0-9]))*$/

/** @throws ContainerFault when it cannot be the name of a container or a network, or an identifier */
export function requireName(name: string, what: 'container' | 'network'): string {
  const bare = name.trim().replace(/^\//, '')
  if (nameForm.test(bare)) return bare
  throw new ContainerFault(`${JSON.stringify(name.slice(0, 100))} cannot be the name of a ${what}`)
}

/** @throws ContainerFault when it cannot be the name of an image */
export function requireImage(image: string): string {
  const bare = image.trim()
  if (imageForm.test(bare) && bare.length <= 1_000) return bare
  throw new ContainerFault(`${JSON.stringify(image.slice(0, 100))} cannot be the name of an image`)
}

export interface ImageReference {
  /** As registries are named in credentials: docker.io for an image without one. */
  readonly registry: string
  /** Without tag and digest. */
  readonly repository: string
  readonly tag: string
}

/** Takes the name of an image apart: `[registry/]repository[:tag][@digest]`; the digest counts before the tag. */
export function readImage(image: string): ImageReference {
  const [named = '', digest] = image.split('@')
  const tag = /:([^:/]*)$/.exec(named)?.[1]
  const repository = tag === undefined ? named : named.slice(0, -tag.length - 1)
  const [first = '', ...rest] = repository.split('/')
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  return { registry: isHost ? first : 'docker.io', repository, tag: digest ?? tag ?? 'latest' }
}
