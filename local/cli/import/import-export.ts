import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { importDag, type Imported } from '../import-dag.ts'
import { plain, type Output } from '../output.ts'
import type { Service } from '../service.ts'
import { manifestFile, readManifest, type ExportManifest } from './export-manifest.ts'
import { fromFiles, readText } from './read-files.ts'

interface How {
  readonly replace: boolean
  readonly dryRun: boolean
  /** Why, for those who read the versions. */
  readonly message: string | undefined
  readonly output: Output
}

interface Thing {
  readonly kind: 'dag' | 'user' | 'key' | 'queue'
  readonly name: string
  readonly outcome: Imported['outcome'] | 'missing'
  /** What is left to do, or why it was not done. */
  readonly note?: string
  /** Of a new user; shown once. */
  readonly password?: string
}

/**
 * Reads back what `millrace export` wrote: stores DAGs and adds users; tells which keys and settings are left to make.
 * @returns the exit code: 1 when something is faulty or differs
 */
export async function importExport(service: Service, folder: string, how: How): Promise<number> {
  const manifest = readManifest(readText(join(folder, manifestFile), 'export'))
  const things = [
    ...(await importDags(service, { folder, manifest }, how)),
    ...(await importUsers(service, manifest, how)),
    ...(await missingKeys(service, manifest)),
    ...(await missingQueues(service, manifest)),
  ]
  const { output, dryRun } = how
  const isDone = ({ outcome }: Thing): boolean => outcome === 'created' || outcome === 'replaced'
  output.table(
    things,
    {
      kind: ({ kind }) => kind,
      name: ({ name }) => name,
      outcome: output.statuses((thing) => `${dryRun && isDone(thing) ? 'would be ' : ''}${thing.outcome}`),
      note: ({ note = '', password }) => plain(password === undefined ? note : `password: ${password}`),
    },
    `${folder} holds nothing`,
  )
  if (!output.isJson) {
    for (const file of ['base.yaml', 'settings.env'].filter((name) => existsSync(join(folder, name))))
      output.write(`note: ${join(folder, file)} is for the service to start with\n`)
    if (dryRun) output.write('nothing was stored: --apply does it\n')
  }
  return things.some(({ outcome }) => outcome === 'faulty' || outcome === 'differs') ? 1 : 0
}

async function importDags(
  service: Service,
  { folder, manifest }: { readonly folder: string; readonly manifest: ExportManifest },
  how: How,
): Promise<Thing[]> {
  const things: Thing[] = []
  for (const { name, spec, fault = '' } of await fromFiles(join(folder, 'dags'))) {
    const suspended = manifest.suspended.includes(name)
    const { outcome, fault: found = fault } =
      spec === undefined
        ? ({ outcome: 'faulty' } as const)
        : await importDag(service, { name, spec }, { ...how, suspended })
    things.push({ kind: 'dag', name, outcome, ...(found !== '' && { note: found }) })
  }
  return things
}

/** New users get a password that is shown once. */
async function importUsers(service: Service, { users }: ExportManifest, { dryRun }: How): Promise<Thing[]> {
  if (users.length === 0) return []
  const { users: stored } = await service.ask('listUsers')
  const things: Thing[] = []
  for (const { username, role, disabled } of users) {
    const same = stored.find((user) => user.username === username)
    const thing = { kind: 'user', name: username } as const
    if (same !== undefined) {
      const isEqual = same.role === role && same.disabled === disabled
      const note = `it is ${same.role}${same.disabled ? ', disabled' : ''} here`
      things.push({ ...thing, outcome: isEqual ? 'unchanged' : 'differs', ...(!isEqual && { note }) })
      continue
    }
    const password = randomBytes(18).toString('base64url')
    if (!dryRun) {
      await service.ask('createUser', { body: { username, role, password } })
      if (disabled) await service.ask('updateUser', { params: { username }, body: { disabled } })
    }
    things.push({ ...thing, outcome: 'created', ...(!dryRun && { password }) })
  }
  return things
}

/** A key cannot be made for somebody else, and its secret is nowhere. */
async function missingKeys(service: Service, { keys }: ExportManifest): Promise<Thing[]> {
  if (keys.length === 0) return []
  const { apiKeys } = await service.ask('listApiKeys')
  const isHere = (name: string): boolean => apiKeys.some((key) => key.name === name && key.revokedAt === '')
  return keys.map(({ name, role, owner }) =>
    isHere(name)
      ? { kind: 'key', name, outcome: 'unchanged' }
      : {
          kind: 'key',
          name,
          outcome: 'missing',
          note: `${owner === '' ? '' : `${owner}: `}millrace keys create ${JSON.stringify(name)} ${role}`,
        },
  )
}

async function missingQueues(service: Service, { queues }: ExportManifest): Promise<Thing[]> {
  if (queues.length === 0) return []
  const stored = (await service.ask('listQueues')).queues
  return queues.map(({ name, maxConcurrency }) => {
    const here = stored.find((queue) => queue.name === name && queue.type !== 'dag-based')?.maxConcurrency
    const wanted = `MILLRACE_QUEUES=${queues.map((queue) => `${queue.name}=${queue.maxConcurrency}`).join(',')}`
    return here === maxConcurrency
      ? { kind: 'queue', name, outcome: 'unchanged' }
      : { kind: 'queue', name, outcome: 'missing', note: `start the service with ${wanted}` }
  })
}
