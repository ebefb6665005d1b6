import { presentPlan } from '#lib/api/present/dag.ts'
import { formatProblem } from '#lib/definition/read-spec.ts'
import { previewRun, type RunPreview } from '#lib/runs/start/preview-run.ts'
import { readDagFile } from './dag-file.ts'
import type { Output } from './output.ts'
import type { Service } from './service.ts'

/**
 * Shows what a run of a file would do.
 * @throws Error that lists the faults of the file, or the params that do not match
 */
export async function planFile(
  file: string,
  { params, service }: { readonly params: string | undefined; readonly service: Service | undefined },
  output: Output,
): Promise<void> {
  const { dag, faults, warnings, zone } = await readDagFile(file, service)
  if (faults.length > 0) throw new Error(`${file}: ${faults.join('; ')}`)
  const plan = await previewRun(dag, { params, now: Date.now(), zone })
  const preview = { ...plan, warnings: [...plan.warnings, ...warnings.map(formatProblem)] }
  output.show(
    { ...presentPlan(preview), warningsAt: warnings },
    [`${dag.name} (queue ${preview.queue})`, ...linesOf(preview, output)].join('\n'),
  )
}

function linesOf(
  { order, steps, values, nextFires, workerSelector, warnings }: RunPreview,
  output: Output,
): string[] {
  const byName = new Map(steps.map((step) => [step.name, step]))
  const labels = Object.entries(workerSelector).map(([name, value]) => `${name}=${value}`)
  return [
    ...section(
      'values',
      values.map(({ name, value, origin }) => `${name} = ${value}  (${origin})`),
    ),
    ...section(
      'order',
      order.flatMap((names, index) =>
        names.map((name) => {
          const { executor = '', work = [] } = byName.get(name) ?? {}
          return `${index + 1}. ${name}  ${executor}: ${work.join('; ').trim().replaceAll('\n', ' ⏎ ')}`
        }),
      ),
    ),
    ...section('runners', labels),
    ...section('next starts', nextFires.map(output.time)),
    ...section('warnings', warnings),
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)]
}
