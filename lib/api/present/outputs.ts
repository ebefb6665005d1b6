import type { InferOutput } from 'valibot'
import { statusLabel, type LabelSet } from '#lib/core/status.ts'
import type { Definition, OutputSpec } from '#lib/definition/definition.ts'
import type { RunState } from '#lib/runs/read/load-run.ts'
import { runParamsList } from '#lib/runs/start/run-params.ts'
import type { OutputsAnswer } from '../schemas/run.ts'
import { timestamp } from './timestamp.ts'

/** The captured outputs of a run by the names under which clients look for them: `TOTAL_ROWS` is `totalRows`. */
export function presentOutputs(
  { run, definition }: Pick<RunState, 'run' | 'definition'>,
  captured: ReadonlyMap<string, Readonly<Record<string, string>>>,
  labels: LabelSet,
): InferOutput<typeof OutputsAnswer> {
  const outputs: Record<string, string> = {}
  for (const { name, output } of definition.steps) {
    const value = output && captured.get(name)?.[output.name]
    if (output && value !== undefined && !output.omit) outputs[keyOf(output)] = value
  }
  return {
    metadata: {
      dagName: run.dagName,
      dagRunId: run.runId,
      attemptId: String(run.attempt),
      status: statusLabel(run.status, labels),
      completedAt: timestamp(run.finishedAt),
      params: JSON.stringify(runParamsList(run, definition).map(({ name, value }) => `${name}=${value}`)),
    },
    outputs,
  }
}

/** What {@link presentOutputs} shows, by its key: which output of which step. */
export function outputsByKey(definition: Definition): ReadonlyMap<string, { step: string; name: string }> {
  const found = new Map<string, { step: string; name: string }>()
  for (const { name: step, output } of definition.steps) {
    if (output && !output.omit) found.set(keyOf(output), { step, name: output.name })
  }
  return found
}

function keyOf(output: OutputSpec): string {
  return (
    output.key ??
    output.name.toLowerCase().replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  )
}
