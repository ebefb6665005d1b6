import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type Dockerode from 'dockerode'
import type { DockerConfig, SharedContainer } from '#lib/definition/executor-config/docker-config.ts'
import { openEngine } from '#lib/executors/docker/client.ts'
import { dockerExecutor } from '#lib/executors/docker/run.ts'
import type { RunOfStep, StepContext, StepOutcome } from '#lib/executors/executor.ts'
import { quoteWord } from '#lib/definition/values/split-words.ts'
import { stepContext, type Watched } from '../step-context.ts'

/** Made by infra/ci/engine-up.sh: one static program, no registry. */
export const image = 'millrace-test:1'

/** The address of the engine: DOCKER_HOST, or what infra/ci/engine-up.sh has written. */
export const dockerHost = process.env['DOCKER_HOST'] ?? writtenHost() ?? ''

function writtenHost(): string | undefined {
  const file = '/tmp/millrace-engine/env'
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replace('DOCKER_HOST=', '') : undefined
}

const access = { env: { DOCKER_HOST: dockerHost }, settings: { httpAllow: [], jqPath: undefined } }

/** A client of the engine that has the image of the tests; undefined when there is none. */
export async function reachEngine(): Promise<Dockerode | undefined> {
  try {
    const { docker } = openEngine(access)
    if (dockerHost === '') throw new Error('no DOCKER_HOST, and infra/ci/engine-up.sh was not run')
    await docker.getImage(image).inspect()
    return docker
  } catch (error) {
    // A named engine must work: then no test may be skipped.
    if (process.env['DOCKER_HOST'] !== undefined) throw error
    console.warn(`SKIPPED: the tests of the docker executor need a container engine (${String(error)})`)
    return undefined
  }
}

/** Podman implements the same API with small gaps. */
export const isPodman = await (async (): Promise<boolean> => {
  try {
    const version = await openEngine(access).docker.version()
    return JSON.stringify(version).includes('Podman')
  } catch {
    return false
  }
})()

/** Test files run in parallel, each in its own process: this label marks the containers of this one. */
const ofThisFile = { 'millrace.test': String(process.pid) }

/** The containers that a test has created, itself or through a step. */
export function containers(docker: Dockerode): Promise<Dockerode.ContainerInfo[]> {
  const label = Object.entries(ofThisFile).map((pair) => pair.join('='))
  return docker.listContainers({ all: true, filters: { label } })
}

/** Removes the containers that a test left behind, so that only this test fails. @returns their names and commands */
export async function removeLeftovers(docker: Dockerode): Promise<string[]> {
  const left = await containers(docker)
  await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true })))
  return left.map(({ Names, Command }) => `${Names.join()}: ${Command}`)
}

/** A container that no step created. */
export async function startForeign(
  docker: Dockerode,
  name: string,
  { Image = image, Cmd = ['sleep', '3600'] }: { Image?: string; Cmd?: string[] } = {},
): Promise<Dockerode.Container> {
  const container = await docker.createContainer({ name, Image, Cmd, Labels: ofThisFile })
  await container.start()
  return container
}

/** A command line that runs this program in the container's shell. */
export const sh = (program: string): string => `sh -c ${quoteWord(program)}`

const plain = {
  pull: 'missing',
  autoRemove: true,
  container: { labels: ofThisFile },
  host: {},
  network: {},
  exec: { env: [] },
} as const

function config(given: Partial<DockerConfig>): DockerConfig {
  return { ...plain, registryAuths: {}, ...given, container: { ...plain.container, ...given.container } }
}

/** The container of a DAG. */
export function shared(given: Partial<SharedContainer> = {}): Pick<DockerConfig, 'shared'> {
  const container = { ...plain.container, ...given.container }
  return {
    shared: { ...plain, image, startup: 'keepalive', command: [], waitFor: 'running', ...given, container },
  }
}

export interface Given extends Partial<Omit<StepContext, 'config'>> {
  readonly signalOnStop?: string
  /** The step's own environment. */
  readonly own?: Readonly<Record<string, string>>
}

export interface Attempt extends Watched {
  readonly outcome: Promise<StepOutcome>
}

/** Starts an attempt of a container step. */
export function attempt(
  given: Partial<DockerConfig>,
  commands: readonly string[],
  more: Given = {},
): Attempt {
  const { own = {}, signalOnStop = 'SIGTERM', env = {}, ...rest } = more
  const names = Object.entries(own).map(([name, value]) => ({ name, value }))
  const watched = stepContext({
    config: config(given) as unknown as StepContext['config'],
    commands,
    workingDir: tmpdir(),
    env: { PATH: '/not/of/the/container', HOME: '/nowhere', DOCKER_HOST: dockerHost, ...own, ...env },
    step: { name: 'step', signalOnStop, env: names } as unknown as StepContext['step'],
    ...rest,
  })
  return { ...watched, outcome: dockerExecutor.run(watched.context) }
}

/** A run as the runner passes it to steps; `end` performs what was registered for its end. */
export function fakeRun(given: Partial<RunOfStep> = {}): RunOfStep & { readonly end: () => Promise<void> } {
  const acts: (() => Promise<void>)[] = []
  return {
    owner: 'test',
    runKey: '7',
    runId: 'run-of-test',
    dagName: 'orchard',
    token: '1',
    atEnd: (act) => acts.push(act),
    end: async () => {
      await Promise.all(acts.map((act) => act()))
    },
    ...given,
  }
}
