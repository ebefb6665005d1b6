import type { DockerConfig } from '#lib/definition/executor-config/docker.ts'
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

/** What a container is made from. */
export type ContainerPlan = Pick<
  DockerConfig,
  'container' | 'host' | 'network' | 'platform' | 'containerName'
> & {
  readonly image: string
  /** Undefined: the image's own. */
  readonly entrypoint: readonly string[] | undefined
  /** Undefined: the settings', otherwise the image's own. */
  readonly command: readonly string[] | undefined
  /** NAME=value; the settings' own come after them. */
  readonly env: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** Its output is followed, and nobody asks for it later: the engine need not keep it. */
  readonly isLogKept: boolean
  /** The engine may start it again; not where its end is the end of the step, which has a policy of its own. */
  readonly mayRestart: boolean
}

/** The request that makes it, and the networks that it joins before it starts. */
export interface CreateRequest {
  readonly query: { readonly name?: string; readonly platform?: string }
  readonly body: Settings
  readonly networks: readonly (readonly [name: string, endpoint: Settings])[]
}

/**
 * Turns settings into a request to the engine.
 * @throws ContainerFault for what the deployment does not allow, and for names that are none
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
  refuseDangers(host, { ...context, allow: context.settings.docker?.allow, socketPath: engine.socketPath })
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
  // We remove it, when its output and its end are known.
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
      // Older engines take one network here; the others are joined afterwards.
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
