import * as v from 'valibot'
import type { RegistryAuths } from '../definition.ts'
import { pull } from '../schema/container.ts'
import { environment, fields, flag, openMap, text, textMap } from '../schema/words.ts'

const anything = (what: string) => openMap({}, what)

/**
 * Settings that are passed to the container engine as written. They have no fixed fields, but the spelling of those
 * listed here is normalized.
 */
const engine = <const T extends v.ObjectEntries>(entries: T, what: string) => openMap(entries, what)

export const Docker = fields(
  'the config of a docker step',
  {
    image: v.optional(text),
    containerName: v.optional(text),
    pull: v.optional(pull),
    autoRemove: v.optional(flag),
    platform: v.optional(text),
    workingDir: v.optional(text),
    volumes: v.optional(v.array(text, 'a list of host:container texts')),
    container: v.optional(
      engine(
        {
          env: v.optional(environment),
          workingDir: v.optional(text),
          user: v.optional(text),
          exposedPorts: v.optional(v.any()),
          entrypoint: v.optional(v.any()),
          labels: v.optional(textMap),
          hostname: v.optional(text),
        },
        'a map of settings of the container',
      ),
    ),
    host: v.optional(
      engine(
        {
          binds: v.optional(v.array(text, 'a list of host:container texts')),
          portBindings: v.optional(anything('a map from ports to lists of host ports')),
          networkMode: v.optional(text),
          autoRemove: v.optional(flag),
          privileged: v.optional(flag),
          restartPolicy: v.optional(anything('a map with a name')),
          mounts: v.optional(v.any()),
        },
        'a map of settings of the host',
      ),
    ),
    network: v.optional(
      engine(
        { EndpointsConfig: v.optional(anything('a map from networks to their settings')) },
        'a map with EndpointsConfig',
      ),
    ),
    exec: v.optional(
      fields('exec', { user: v.optional(text), workingDir: v.optional(text), env: v.optional(environment) }),
    ),
  },
  { older: { name: 'containerName', dir: 'workingDir' } },
)

type Settings = Readonly<Record<string, unknown>>

/**
 * The config as the executor receives it. `container`, `host` and `network` are settings of the Docker API, whose names
 * may begin in lower or upper case. `container.env` and `exec.env` are lists of NAME=value; `host.binds` includes the
 * volumes.
 */
export interface DockerConfig {
  readonly image?: string
  readonly containerName?: string
  readonly pull: 'always' | 'missing' | 'never'
  readonly autoRemove: boolean
  readonly platform?: string
  readonly container: Settings
  readonly host: Settings
  readonly network: Settings
  readonly exec: { readonly user?: string; readonly workingDir?: string; readonly env: readonly string[] }
  /**
   * The container that all container steps of the run share. When set, the fields above do not count.
   */
  readonly shared?: SharedContainer
  readonly registryAuths: RegistryAuths
}

/** A container that lives for the whole run. */
export interface SharedContainer extends Omit<DockerConfig, 'shared' | 'registryAuths'> {
  readonly startup: 'keepalive' | 'entrypoint' | 'command'
  /** Arguments for `startup: command`. */
  readonly command: readonly string[]
  readonly waitFor: 'running' | 'healthy'
  readonly logPattern?: string
}
