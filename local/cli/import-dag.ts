import { Refusal, type Service } from './service.ts'

/** The result of importing one DAG. */
export interface Imported {
  readonly dag: string
  /** `differs`: the service has another text under this name, and replacing was not requested. */
  readonly outcome: 'created' | 'unchanged' | 'replaced' | 'differs' | 'faulty'
  readonly fault?: string
}

/** Stores a DAG; in a dry run, only says what would happen. */
export async function importDag(
  service: Service,
  { name, spec }: { readonly name: string; readonly spec: string },
  how: { readonly replace: boolean; readonly dryRun: boolean },
): Promise<Imported> {
  const faulty = (faults: readonly string[]): Imported => ({
    dag: name,
    outcome: 'faulty',
    fault: faults.join('; '),
  })
  try {
    const { errors } = await service.ask('validateDag', { body: { spec, name } })
    if (errors.length > 0) return faulty(errors)
    const stored = await storedSpec(service, name)
    if (stored === spec) return { dag: name, outcome: 'unchanged' }
    if (stored === undefined) {
      if (!how.dryRun) await service.ask('createDag', { body: { name, spec } })
      return { dag: name, outcome: 'created' }
    }
    if (!how.replace) return { dag: name, outcome: 'differs' }
    if (how.dryRun) return { dag: name, outcome: 'replaced' }
    const saved = await service.ask('updateDagSpec', { params: { fileName: name }, body: { spec } })
    return saved.errors.length > 0 ? faulty(saved.errors) : { dag: name, outcome: 'replaced' }
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return faulty([error.message])
    throw error
  }
}

async function storedSpec(service: Service, fileName: string): Promise<string | undefined> {
  try {
    return (await service.ask('getDagSpec', { params: { fileName } })).spec
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  }
}
