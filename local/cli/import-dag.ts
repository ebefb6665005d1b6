import { Refusal, type Service } from './service.ts'

/** The result of importing one DAG. */
export interface Imported {
  readonly dag: string
  /** `differs`: the service has another text under this name, and replacing was not requested. */
  readonly outcome: 'created' | 'unchanged' | 'replaced' | 'differs' | 'faulty'
  readonly fault?: string
  readonly warnings?: readonly string[]
}

export interface ImportMode {
  readonly replace: boolean
  readonly dryRun: boolean
  /** A new DAG is stored with its schedule suspended. */
  readonly suspended: boolean
  /** Message for the list of versions. */
  readonly message: string | undefined
}

/** Stores a DAG; in a dry run, only reports what would happen. */
export async function importDag(
  service: Service,
  { name, spec }: { readonly name: string; readonly spec: string },
  how: ImportMode,
): Promise<Imported> {
  const faulty = (faults: readonly string[]): Imported => ({
    dag: name,
    outcome: 'faulty',
    fault: faults.join('; '),
  })
  try {
    const { errors, warnings: found } = await service.ask('validateDag', { body: { spec, name } })
    const warnings = found.map(({ message }) => message)
    if (errors.length > 0) return faulty(errors)
    const stored = await storedSpec(service, name)
    if (stored === spec) return { dag: name, outcome: 'unchanged' }
    if (stored === undefined || (stored === placeholder && how.suspended)) {
      if (!how.dryRun) await create(service, { name, spec, exists: stored !== undefined }, how)
      return { dag: name, outcome: 'created', warnings }
    }
    if (!how.replace) return { dag: name, outcome: 'differs' }
    if (how.dryRun) return { dag: name, outcome: 'replaced', warnings }
    const body = { spec, ...(how.message !== undefined && { message: how.message }) }
    const saved = await service.ask('updateDagSpec', { params: { fileName: name }, body })
    return saved.errors?.length ? faulty(saved.errors) : { dag: name, outcome: 'replaced', warnings }
  } catch (error) {
    // 409: the DAG comes from a file in the DAG folder.
    if (error instanceof Refusal && (error.status === 400 || error.status === 409))
      return faulty([error.message])
    throw error
  }
}

/** A spec without a schedule. Finding it stored means that an earlier import was interrupted and continues here. */
const placeholder = '# being imported\nsteps:\n  - command: "true"\n'

/** Creates a DAG. One to suspend gets its schedule last, so that it cannot fire before it is suspended. */
async function create(
  service: Service,
  { name, spec, exists }: { readonly name: string; readonly spec: string; readonly exists: boolean },
  { suspended, message }: ImportMode,
): Promise<void> {
  const why = message === undefined ? {} : { message }
  if (!exists)
    await service.ask('createDag', { body: { name, spec: suspended ? placeholder : spec, ...why } })
  if (!suspended) return
  await service.ask('suspendDag', { params: { fileName: name }, body: { suspend: true } })
  await service.ask('updateDagSpec', { params: { fileName: name }, body: { spec, ...why } })
}

async function storedSpec(service: Service, fileName: string): Promise<string | undefined> {
  try {
    return (await service.ask('getDagSpec', { params: { fileName } })).spec
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  }
}
