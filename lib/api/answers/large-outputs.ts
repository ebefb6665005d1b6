import { setImmediate } from 'node:timers/promises'
import type { LabelSet } from '#lib/core/status.ts'
import type { Database } from '#lib/db/client.ts'
import type { RunState } from '#lib/runs/read/load-run.ts'
import { readOutputs } from '#lib/runs/read/read-outputs.ts'
import { outputsByKey, presentOutputs } from '../present/outputs.ts'
import type { View } from '../auth/shown-to.ts'

/** The outputs of a run as JSON, one after the other: together they may take too much memory and time. */
export async function* largeOutputs(
  db: Database,
  { run, definition }: Pick<RunState, 'run' | 'definition'>,
  { view, labels }: { readonly view: View; readonly labels: LabelSet },
): AsyncGenerator<Uint8Array> {
  const { metadata } = presentOutputs({ run, definition: view.definition(definition) }, new Map(), labels)
  yield Buffer.from(`{"metadata":${JSON.stringify(metadata)},"outputs":{`)
  let comma = ''
  for (const [key, { step, name }] of outputsByKey(definition)) {
    const captured = await view.outputs(await readOutputs(db, run.runKey, step), definition)
    const value = captured.get(step)?.[name]
    if (value === undefined) continue
    await setImmediate()
    yield Buffer.from(`${comma}${JSON.stringify(key)}:${JSON.stringify(value)}`)
    comma = ','
  }
  yield Buffer.from('}}')
}
