import { CallFailure, type Ask } from './call.ts'

export interface NewDag {
  readonly name: string
  readonly spec: string
}

/** Text of a DAG that no schedule starts. */
const placeholder = 'steps:\n  - command: "true"\n'

/**
 * Stores a DAG with a suspended schedule. It must not start before it is suspended, so it gets its
 * text last.
 * @throws CallFailure; 409 when there is a DAG of this name
 */
export async function createSuspended(ask: Ask, { name, spec }: NewDag): Promise<void> {
  await ask('createDag', { body: { name, spec: placeholder } })
  await ask('suspendDag', { params: { fileName: name }, body: { suspend: true } })
  await ask('updateDagSpec', { params: { fileName: name }, body: { spec } })
}

/** Stores a DAG, unless there is one of this name. @throws CallFailure */
export async function createUnlessThere(ask: Ask, body: NewDag): Promise<void> {
  try {
    await ask('createDag', { body })
  } catch (error) {
    if (!(error instanceof CallFailure) || error.status !== 409) throw error
  }
}
