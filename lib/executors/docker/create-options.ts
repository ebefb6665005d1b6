import type { DockerConfig } from '#lib/definition/executor-config/docker-config.ts'
import type { StepContext } from '../executor.ts'
import { absoluteBind } from './binds.ts'
import type { Engine } from './client.ts'
import { ContainerFault } from './engine-fault.ts'
import {
  byLowerName,
  mapOf,
  readExposedPorts,
  readPortBindings,
  textsOf,
  type Settings,
} from './engine-settings.ts'
import { refuseDangers } from './guard.ts'
import { requireName } from './names.ts'

/** What a container is created from. */
export type ContainerPlan = Pick<
  DockerConfig,
  'container' | 'host' | 'network' | 'platform' | 'containerName'
> & {
  readonly image: string
  /** Undefined: that of the image. */
  readonly entrypoint: readonly string[] | undefined
  /** Undefined: that of the settings, otherwise that of the image. */
  readonly command: readonly string[] | undefined
  /** As NAME=value; entries of the settings come after them. */
  readonly env: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** False: its output is streamed and nobody asks for it later, so the engine need not keep it. */
  readonly isLogKept: boolean
  /**
   * Whether the engine may restart it. Not when its end is the end of the step, which has a retry policy of its own.
   */
  readonly mayRestart: boolean
}

/** The create request, and networks to join before the start. */
export interface CreateRequest {
  readonly query: { readonly name?: string; readonly platform?: string }
  readonly body: Settings
  readonly networks: readonly (readonly [name: string, endpoint: Settings])[]
}

/**
 * Converts settings to a create request.
 * @throws ContainerFault for settings that the deployment does not allow, and for invalid names
 */
export function createRequest(
  plan: ContainerPlan,
  context: Pick<StepContext, 'workingDir' | 'env' | 'settings'>,
  engine: Pick<Engine, 'socketPath'>,
): CreateRequest {
  const container = byLowerName(plan.container, 'container')
  const host = byLowerName(plan.host, 'host')
  for (const name of ['hostconfig', 'networkingconfig', 'image']) {
    if (container.has(name)) throw new ContainerFault(`container has no setting ${name}`)
  }
  const { docker, fileBounds } = context.settings
  refuseDangers(host, { ...context, fileBounds, allow: docker?.allow, socketPath: engine.socketPath })
  const endpoints = endpointsOf(plan.network)
  const ports = readPortBindings(host.get('portbindings'))
  const labels = { ...mapOf(container.get('labels')), ...plan.labels }
  set(container, 'labels', labels)
  set(container, 'env', [...plan.env, ...textsOf(container.get('env'))])
  set(container, 'exposedports', {
    ...readExposedPorts(container.get('exposedports')),
    ...readExposedPorts(ports),
  })
  set(container, 'entrypoint', plan.entrypoint)
  set(container, 'cmd', plan.command)
  set(host, 'portbindings', ports)
  set(
    host,
    'binds',
    textsOf(host.get('binds')).map((bind) => absoluteBind(bind, context)),
  )
  if (!plan.mayRestart) host.delete('restartpolicy')
  // We remove the container ourselves, once its output and its exit status are known.
  host.delete('autoremove')
  if (!plan.isLogKept && !host.has('logconfig')) host.set('logconfig', { Type: 'none' })
  const [first] = endpoints
  if (first !== undefined && !host.has('networkmode')) host.set('networkmode', first[0])
  const joined = endpoints.find(([name]) => name === host.get('networkmode'))
  return {
    query: {
      ...(plan.containerName !== undefined && { name: requireName(plan.containerName, 'container') }),
      ...(plan.platform !== undefined && { platform: plan.platform }),
    },
    body: {
      ...Object.fromEntries(container),
      image: plan.image,
      attachStdout: true,
      attachStderr: true,
      openStdin: false,
      hostConfig: Object.fromEntries(host),
      // Older engines accept one network here; the others are joined afterwards.
      ...(joined !== undefined && { networkingConfig: { EndpointsConfig: Object.fromEntries([joined]) } }),
    },
    networks: endpoints.filter((endpoint) => endpoint !== joined),
  }
}

function set(settings: Map<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) settings.set(name, value)
}

function endpointsOf(network: Settings): (readonly [string, Settings])[] {
  const endpoints = mapOf(byLowerName(network, 'network').get('endpointsconfig'))
  return Object.entries(endpoints).map(([name, endpoint]) => [requireName(name, 'network'), mapOf(endpoint)])
}
