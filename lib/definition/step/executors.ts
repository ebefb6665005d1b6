import type { InferOutput } from 'valibot'
import type { ExecutorType, RegistryAuths, SmtpServer } from '#lib/definition/definition.ts'
import { Docker, type DockerConfig, type SharedContainer } from '#lib/definition/executor-config/docker.ts'
import { Http, type HttpConfig } from '#lib/definition/executor-config/http.ts'
import { Jq } from '#lib/definition/executor-config/jq.ts'
import { Mail, type MailConfig } from '#lib/definition/executor-config/mail.ts'
import { ordinary } from '#lib/definition/executor-config/ordinary.ts'
import { readContainer, readDockerConfig } from '#lib/definition/executor-config/read-docker.ts'
import { Ssh, type SshConfig } from '#lib/definition/executor-config/ssh.ts'
import { readTextMap } from '#lib/definition/dag/environment.ts'
import { executorType } from './executor-types.ts'
import { addresses, checkAttachments, refuseLineBreaks } from '#lib/definition/dag/mail-fields.ts'
import type { Place } from '#lib/definition/reading/place.ts'
import { fields } from '#lib/definition/schema/words.ts'
import type { Step } from '#lib/definition/schema/step.ts'
import { readShape } from '#lib/definition/reading/shape.ts'

export type RawStep = InferOutput<typeof Step>

/** What a DAG provides to the executors of its steps. */
export interface Surroundings {
  readonly container: SharedContainer | undefined
  /** Undefined when the DAG has no `ssh` field. */
  readonly ssh: SshConfig | undefined
  readonly smtp: SmtpServer | undefined
  readonly workingDir: string | undefined
  readonly registryAuths: RegistryAuths
}

/**
 * The executor type of a step: as given (in either form); otherwise as its other fields imply; otherwise docker if the
 * DAG has a container, ssh if it has an `ssh` field, else shell. Contradictions are reported as faults.
 * @returns undefined when the type is unknown
 */
export function typeOf(raw: RawStep, place: Place, around: Surroundings): ExecutorType | undefined {
  const given = givenType(raw, place)
  if (given === 'unknown') return undefined
  if (raw.call !== undefined) return only('dag', given, 'call', place)
  if (raw.container !== undefined) return only('docker', given, 'container', place)
  if (given !== undefined) return given
  if (around.container !== undefined) return 'docker'
  return around.ssh === undefined ? 'shell' : 'ssh'
}

function givenType(raw: RawStep, place: Place): ExecutorType | 'unknown' | undefined {
  if (raw.executor !== undefined && (raw.type !== undefined || raw.config !== undefined)) {
    place.at('executor').fault('must not stand beside type and config, which are another way to write it')
  }
  const old = typeof raw.executor === 'string' ? raw.executor : raw.executor?.type
  const spelling = raw.type ?? old
  if (spelling === undefined) return undefined
  const type = executorType(spelling)
  if (typeof type === 'string') return type
  spellingPlace(raw, place).fault(type.fault)
  return 'unknown'
}

function spellingPlace(raw: RawStep, place: Place): Place {
  if (raw.type !== undefined) return place.at('type')
  return typeof raw.executor === 'string' ? place.at('executor') : place.at('executor', 'type')
}

function only(
  type: ExecutorType,
  given: ExecutorType | undefined,
  field: 'call' | 'container',
  place: Place,
): ExecutorType {
  if (given !== undefined && given !== type) {
    place.at(field).fault(`must not stand in a step of type ${given}, it belongs to type ${type}`)
  }
  return type
}

/** Files of other versions set keys that this service has no use for. */
const lenient = { unknownKeys: 'warn' } as const

const NoConfig = fields('the config of a step that runs a command or a DAG: it has none', {})

/** Where the config of a step is, with its context. */
interface ConfigPlace {
  readonly raw: RawStep
  readonly place: Place
  /** The position of the config, which may be missing. */
  readonly at: Place
  readonly around: Surroundings
}

const configs: Readonly<Record<ExecutorType, (config: ConfigPlace) => object>> = {
  shell: ({ at }) => readShape(NoConfig, at, lenient).value ?? {},
  dag: ({ at }) => readShape(NoConfig, at, lenient).value ?? {},
  jq: ({ at }) => readShape(Jq, at, lenient).value ?? {},
  docker: dockerConfig,
  http: httpConfig,
  mail: mailConfig,
  ssh: sshConfig,
}

/** The validated config of a step's executor in canonical spelling, with the DAG's defaults filled in. */
export function configOf(type: ExecutorType, raw: RawStep, place: Place, around: Surroundings): object {
  const at = typeof raw.executor === 'object' ? place.at('executor', 'config') : place.at('config')
  // That it is not a map has been reported already.
  return at.node !== undefined && at.node.kind !== 'map' ? {} : configs[type]({ raw, place, at, around })
}

function dockerConfig({ raw, place, at, around }: ConfigPlace): DockerConfig {
  const { registryAuths, container: shared } = around
  const own = raw.container
  const read = readShape(Docker, at, lenient)
  if (own !== undefined && at.node !== undefined) at.fault('must not stand beside container')
  const config =
    own === undefined
      ? readDockerConfig(read.value ?? {}, read.place)
      : readContainer(own, place.at('container'))
  const isReadable = at.node === undefined || read.value !== undefined
  if (own === undefined && shared === undefined && isReadable) {
    const isNamed = [config.image, config.containerName].some(
      (name) => name !== undefined && name.trim() !== '',
    )
    if (!isNamed) (at.node === undefined ? place : at).fault('needs image or containerName')
  }
  return { ...config, registryAuths, ...(shared !== undefined && { shared }) }
}

function httpConfig({ at }: ConfigPlace): HttpConfig {
  const { value: raw = {}, place } = readShape(Http, at, lenient)
  const { headers, query, body, ...rest } = raw
  if (typeof rest.timeout === 'string' && !/^\s*\d+(?:\.\d+)?\s*$|\$/.test(rest.timeout)) {
    place.at('timeout').fault(`must be seconds, is ${JSON.stringify(rest.timeout.slice(0, 60))}`)
  }
  return {
    ...ordinary(rest),
    ...(headers !== undefined && { headers: readTextMap(place.at('headers')) }),
    ...(query !== undefined && { query: readTextMap(place.at('query')) }),
    ...(body !== undefined && { body: place.at('body').text }),
  }
}

function mailConfig({ raw: step, at, around: { smtp, workingDir } }: ConfigPlace): MailConfig {
  const { value: raw = {}, place } = readShape(Mail, at, lenient)
  const { from, to = [], subject = '', message = '', attachments = [], contentType } = raw
  refuseLineBreaks(subject, place.at('subject'))
  refuseLineBreaks(from ?? '', place.at('from'))
  refuseLineBreaks(contentType ?? '', place.at('contentType'))
  const files = [attachments].flat()
  checkAttachments(files, step.workingDir ?? workingDir, place.at('attachments'))
  const all = addresses(to, place.at('to'))
  if (all.length === 0 && place.at('to').node === undefined)
    at.fault('needs to, the address of whom the mail is for')
  return {
    ...(from !== undefined && { from }),
    to: all,
    subject,
    message,
    attachments: files,
    ...(contentType !== undefined && { contentType }),
    ...(smtp !== undefined && { smtp }),
  }
}

function sshConfig({ raw, place, at, around }: ConfigPlace): SshConfig {
  const { value = {} } = readShape(Ssh, at, lenient)
  const shell = raw.shell === undefined ? undefined : [raw.shell].flat().join(' ')
  const config: SshConfig = { ...around.ssh, ...ordinary(value), ...(shell !== undefined && { shell }) }
  const isDescribed = at.node !== undefined || around.ssh !== undefined
  if (isDescribed && (config.host ?? '').trim() === '') {
    ;(at.node === undefined ? place : at).fault('needs host, in its config or in the ssh field of the DAG')
  }
  return config
}
