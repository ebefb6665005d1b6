import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shownSettings } from '#lib/config/settings/shown.ts'
import { listDags } from './dags.ts'
import { manifestFile, writeManifest, type ExportManifest } from './import/export-manifest.ts'
import { readText } from './import/read-files.ts'
import type { Service } from './service.ts'

/** Number of items of each kind in an export. */
type Counts = Readonly<Record<'dags' | 'users' | 'keys' | 'queues', number>>

/** Settings of the caller's command line, which are not part of the deployment. */
const ofCaller = new Set(['MILLRACE_URL', 'MILLRACE_API_KEY', 'MILLRACE_USER', 'MILLRACE_PASSWORD'])

/**
 * Writes an export and removes DAG files of an earlier one that are gone. The earlier export stays complete until all
 * DAGs are written.
 * @param folder new, empty, or that of an earlier export
 * @throws Error for any other folder; Refusal when the caller is not an admin
 */
export async function writeExport(
  service: Service,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Counts> {
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, manifestFile)))
    throw new Error(`${folder} contains other files: name a new folder, or the folder of an earlier export`)
  const dags = await listDags(service)
  const specs = new Map<string, string>()
  for (const { fileName } of dags)
    specs.set(fileName, (await service.ask('getDagSpec', { params: { fileName } })).spec)
  const manifest = await manifestOf(
    service,
    dags.filter(({ suspended }) => suspended).map(({ fileName }) => fileName),
  )
  // DAGs may hold secrets.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const write = (name: string, text: string): void =>
    replace(join(folder, name), (draft) => writeFileSync(draft, text, { mode: 0o600, flag: 'wx' }))
  replace(join(folder, 'dags'), (draft) => {
    mkdirSync(draft, { mode: 0o700 })
    for (const [name, spec] of specs) writeFileSync(join(draft, `${name}.yaml`), spec, { mode: 0o600 })
  })
  write(manifestFile, writeManifest(manifest))
  const base = environment['MILLRACE_BASE_CONFIG']
  if (base) write('base.yaml', readText(base, 'base configuration'))
  const lines = settingLines(environment)
  if (lines.length > 0) write('settings.env', `${lines.join('\n')}\n`)
  const { users, keys, queues } = manifest
  return { dags: specs.size, users: users.length, keys: keys.length, queues: queues.length }
}

/** Replaces a file or folder once the new one is complete. A symbolic link is replaced, not followed. */
function replace(path: string, make: (draft: string) => void): void {
  const draft = `${path}.draft`
  const discard = (file: string): void => rmSync(file, { recursive: true, force: true })
  discard(draft)
  try {
    make(draft)
    discard(path)
    renameSync(draft, path)
  } finally {
    discard(draft)
  }
}

async function manifestOf(service: Service, suspended: readonly string[]): Promise<ExportManifest> {
  const { users } = await service.ask('listUsers')
  const { apiKeys } = await service.ask('listApiKeys')
  const { queues } = await service.ask('listQueues')
  const byName = <Thing>(all: readonly Thing[], nameOf: (thing: Thing) => string): Thing[] =>
    all.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  return {
    millrace: 1,
    suspended: suspended.toSorted(),
    queues: byName(
      queues.flatMap(({ name, type, maxConcurrency = 1 }) =>
        type === 'dag-based' ? [] : [{ name, maxConcurrency }],
      ),
      ({ name }) => name,
    ),
    users: byName(
      users.map(({ username, role, disabled }) => ({ username, role, disabled })),
      ({ username }) => username,
    ),
    keys: byName(
      apiKeys.flatMap(({ name, role, owner, expiresAt, revokedAt }) =>
        revokedAt === '' ? [{ name, role, owner, expiresAt }] : [],
      ),
      ({ name, owner }) => `${name} ${owner}`,
    ),
  }
}

/** The settings of this environment; only the name of those that hold or may hold a secret. */
function settingLines(environment: NodeJS.ProcessEnv): string[] {
  return shownSettings(environment).flatMap(({ name, value, source }) => {
    if (source === 'default' || ofCaller.has(name)) return []
    if (value !== environment[name]) return [`# ${name}=`]
    return [`${name}=${/[\s#"'$\\]/.test(value) ? JSON.stringify(value) : value}`]
  })
}
