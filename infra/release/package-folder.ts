import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const top = resolve(import.meta.dirname, '../..')
const readJson = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>

/** The `package.json` of the sources. */
export const ownPackage = readJson(join(top, 'package.json'))

/**
 * Turns `dist` into the npm package `millrace`, for `npm publish dist`. Its dependencies are what is not bundled: jq,
 * and optionally PostgreSQL and a newer Node. It has no install scripts.
 * @param bundled paths of the sources of all bundles
 */
export function writePackage(target: string, bundled: ReadonlySet<string>, buildDate: string): void {
  const { name, version, description, license, dependencies, optionalDependencies } = ownPackage
  const repository = process.env['GITHUB_REPOSITORY']
  const manifest = {
    name,
    version,
    description,
    license,
    // npm signs provenance only for the repository that the package names.
    ...(repository && { repository: { type: 'git', url: `git+https://github.com/${repository}.git` } }),
    type: 'module',
    engines: { node: '>=20' },
    os: ['linux', 'darwin'],
    bin: { millrace: 'millrace/start-package.mjs' },
    files: ['api', 'tick', 'runner', 'migrate', 'main', 'millrace', 'sbom.json', '!**/node_modules'],
    dependencies: Object.fromEntries(
      Object.entries(dependencies as object).filter(([key]) => key === 'jq-web'),
    ),
    optionalDependencies,
  }
  writeJson(join(target, 'package.json'), manifest)
  for (const page of ['LICENSE', 'README.md']) cpSync(join(top, page), join(target, page))
  const named = Object.keys({ ...manifest.dependencies, ...(optionalDependencies as object) })
  writeJson(
    join(target, 'sbom.json'),
    billOfMaterials(new Set([...packagesOf(bundled), ...named]), buildDate),
  )
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

/** Names of the packages that the paths belong to. */
function packagesOf(paths: ReadonlySet<string>): string[] {
  return [...paths].flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
}

interface Component {
  readonly name: string
  readonly 'bom-ref': string
  readonly licenses?: readonly object[]
}

interface Bill {
  readonly metadata: { readonly component: object; readonly [field: string]: unknown }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
  readonly [field: string]: unknown
}

/**
 * The CycloneDX bill of materials of `npm sbom`, reduced to the packages that are bundled or listed as dependencies. It
 * is reproducible.
 */
function billOfMaterials(shipped: ReadonlySet<string>, buildDate: string): object {
  const { serialNumber: _, ...bill } = npmSbom()
  const components = bill.components.filter(({ name }) => shipped.has(name)).map(withLicence)
  const refs = new Set(components.map((component) => component['bom-ref']))
  const own = `${String(ownPackage['name'])}@${String(ownPackage['version'])}`
  return {
    ...bill,
    metadata: {
      ...bill.metadata,
      timestamp: buildDate || undefined,
      component: { ...bill.metadata.component, name: ownPackage['name'], properties: [] },
    },
    components,
    dependencies: bill.dependencies
      .filter(({ ref }) => ref === own || refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  }
}

/** Adds licences in the old form `licenses: [{ type }]`, which npm ignores. */
function withLicence(component: Component): Component {
  if (component.licenses !== undefined) return component
  const { licenses } = readJson(join(top, 'node_modules', component.name, 'package.json'))
  const ids = Array.isArray(licenses) ? (licenses as { readonly type: string }[]) : []
  return ids.length === 0
    ? component
    : { ...component, licenses: ids.map(({ type }) => ({ license: { id: type } })) }
}

/**
 * `npm sbom --omit=dev` also omits packages that a development tool shares, so npm reads a copy of the lock file
 * without those tools.
 */
function npmSbom(): Bill {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-sbom-'))
  try {
    const { devDependencies: _, scripts: _scripts, ...manifest } = ownPackage
    const lock = readJson(join(top, 'package-lock.json')) as { packages: Record<string, object> }
    const kept = Object.entries(lock.packages).filter(([, entry]) => !('dev' in entry))
    const packages = { ...Object.fromEntries(kept), '': manifest }
    writeJson(join(folder, 'package.json'), manifest)
    writeJson(join(folder, 'package-lock.json'), { ...lock, packages })
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
    return JSON.parse(
      execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 }),
    ) as Bill
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
