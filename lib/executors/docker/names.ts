import { ContainerFault } from './engine-fault.ts'

/** Names become parts of URL paths of the engine's API, so nothing else is allowed. */
const nameForm = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/
const imageForm = /^[a-zA-Z0-9](?:[\w.-]|[/:@](?=[a-zA-Z0-9]))*$/

/** @throws ContainerFault when it is not a valid name or id of a container or a network */
export function requireName(name: string, what: 'container' | 'network'): string {
  const bare = name.trim().replace(/^\//, '')
  if (nameForm.test(bare)) return bare
  throw new ContainerFault(`${JSON.stringify(name.slice(0, 100))} cannot be the name of a ${what}`)
}

/** @throws ContainerFault when it is not a valid name of an image */
export function requireImage(image: string): string {
  const bare = image.trim()
  if (imageForm.test(bare) && bare.length <= 1_000) return bare
  throw new ContainerFault(`${JSON.stringify(image.slice(0, 100))} cannot be the name of an image`)
}

export interface ImageReference {
  /** The registry as it is named in credentials; docker.io when the image names none. */
  readonly registry: string
  /** Repository without tag and digest. */
  readonly repository: string
  readonly tag: string
}

/** Parses an image name: `[registry/]repository[:tag][@digest]`. The digest takes precedence over the tag. */
export function readImage(image: string): ImageReference {
  const [named = '', digest] = image.split('@')
  const tag = /:([^:/]*)$/.exec(named)?.[1]
  const repository = tag === undefined ? named : named.slice(0, -tag.length - 1)
  const [first = '', ...rest] = repository.split('/')
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  return { registry: isHost ? first : 'docker.io', repository, tag: digest ?? tag ?? 'latest' }
}
