import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '#lib/core/errors.ts'
import { importDag, type Imported } from '../import-dag.ts'
import { plain, type Output } from '../output.ts'
import { Refusal, type Service } from '../service.ts'
import { manifestFile, readManifest, type ExportManifest } from './export-manifest.ts'
import { fromFiles, readText } from './read-files.ts'

interface How {
  readonly replace: boolean
  readonly dryRun: boolean
  /** Message for the list of versions. */
  readonly message: string | undefined
  readonly output: Output
}

interface Thing {
  readonly kind: 'dag' | 'user' | 'key' | 'queue'
  readonly name: string
  readonly outcome: Imported['outcome'] | 'missing'
  /** Remaining work, or the reason for a failure. */
  readonly note?: string
  /** Password of a new user; shown once. */
  readonly password?: string
}

/**
 * Imports the output of `millrace export`: stores DAGs, adds users, and lists the missing keys and queues.
 * @returns the exit code: 1 when something is faulty or differs
 */
export async function importExport(service: Service, folder: string, how: How): Promise<number> {
  const manifest = readManifest(readText(join(folder, manifestFile), 'export'))
  const things: Thing[] = []
  try {
    for (const part of [importDags, importUsers, missingKeys, missingQueues])
      for await (const thing of part(service, { folder, manifest }, how)) things.push(thing)
  } finally {
    // Shown even after an error: this is the only output of new users' passwords.
    show(things, folder, how)
  }
  return things.some(({ outcome }) => outcome === 'faulty' || outcome === 'differs') ? 1 : 0
}

function show(things: readonly Thing[], folder: string, { output, dryRun }: How): void {
  const isDone = ({ outcome }: Thing): boolean => outcome === 'created' || outcome === 'replaced'
  output.table(
    things,
    {
      kind: ({ kind }) => kind,
      name: ({ name }) => name,
      outcome: output.statuses((thing) => `${dryRun && isDone(thing) ? 'would be ' : ''}${thing.outcome}`),
      note: ({ note = '', password }) =>
        plain(
          [...(password === undefined ? [] : [`password: ${password}`]), note].filter(Boolean).join('; '),
        ),
    },
    `${folder} is empty`,
  )
  if (output.isJson) return
  for (const file of ['base.yaml', 'settings.env'].filter((name) => existsSync(join(folder, name))))
    output.write(`note: ${join(folder, file)} must be set where the service starts\n`)
  if (dryRun) output.write('nothing was stored; pass --apply to store it\n')
}

interface Export {
  readonly folder: string
  readonly manifest: ExportManifest
}

async function* importDags(service: Service, { folder, manifest }: Export, how: How): AsyncGenerator<Thing> {
  for (const { name, spec, fault = '' } of await fromFiles(join(folder, 'dags'))) {
    const suspended = manifest.suspended.includes(name)
    const { outcome, fault: found = fault } =
      spec === undefined
        ? ({ outcome: 'faulty' } as const)
        : await importDag(service, { name, spec }, { ...how, suspended })
    yield { kind: 'dag', name, outcome, ...(found !== '' && { note: found }) }
  }
}

/** New users get a password that is shown once. */
async function* importUsers(
  service: Service,
  { manifest: { users } }: Export,
  { dryRun }: How,
): AsyncGenerator<Thing> {
  if (users.length === 0) return
  const { users: stored } = await service.ask('listUsers')
  for (const user of users) {
    const { username, role, disabled } = user
    const same = stored.find((one) => one.username === username)
    const thing = { kind: 'user', name: username } as const
    if (same !== undefined) {
      const isEqual = same.role === role && same.disabled === disabled
      const note = `it is ${same.role}${same.disabled ? ', disabled' : ''} here`
      yield { ...thing, outcome: isEqual ? 'unchanged' : 'differs', ...(!isEqual && { note }) }
    } else
      yield dryRun ? { ...thing, outcome: 'created' } : { ...thing, ...(await createUser(service, user)) }
  }
}

async function createUser(
  service: Service,
  { username, role, disabled }: ExportManifest['users'][number],
): Promise<Pick<Thing, 'outcome' | 'note' | 'password'>> {
  const password = randomBytes(18).toString('base64url')
  try {
    await service.ask('createUser', { body: { username, role, password } })
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return { outcome: 'faulty', note: error.message }
    throw error
  }
  if (!disabled) return { outcome: 'created', password }
  try {
    await service.ask('updateUser', { params: { username }, body: { disabled } })
    return { outcome: 'created', password }
  } catch (error) {
    return { outcome: 'created', password, note: `not disabled: ${messageOf(error)}` }
  }
}

/** Keys are only listed: one cannot be created for another user, and an export has no secrets. */
async function* missingKeys(service: Service, { manifest: { keys } }: Export): AsyncGenerator<Thing> {
  if (keys.length === 0) return
  const { apiKeys } = await service.ask('listApiKeys')
  const isHere = (name: string): boolean => apiKeys.some((key) => key.name === name && key.revokedAt === '')
  for (const { name, role, owner } of keys)
    yield isHere(name)
      ? { kind: 'key', name, outcome: 'unchanged' }
      : {
          kind: 'key',
          name,
          outcome: 'missing',
          note: `${owner === '' ? '' : `${owner}: `}millrace keys create ${JSON.stringify(name)} ${role}`,
        }
}

async function* missingQueues(service: Service, { manifest: { queues } }: Export): AsyncGenerator<Thing> {
  if (queues.length === 0) return
  const stored = (await service.ask('listQueues')).queues
  for (const { name, maxConcurrency } of queues) {
    const here = stored.find((queue) => queue.name === name && queue.type !== 'dag-based')?.maxConcurrency
    const wanted = `MILLRACE_QUEUES=${queues.map((queue) => `${queue.name}=${queue.maxConcurrency}`).join(',')}`
    yield here === maxConcurrency
      ? { kind: 'queue', name, outcome: 'unchanged' }
      : { kind: 'queue', name, outcome: 'missing', note: `start the service with ${wanted}` }
  }
}
