import { readFile } from 'node:fs/promises'
import { nameOfFile } from './dag-file.ts'
import type { Output } from './output.ts'
import type { Service } from './service.ts'

/**
 * Shows what the schedule of a file would change.
 * @param input.dag name of the stored DAG; default: that of the file
 * @returns the exit code: 1 when the file has faults
 */
export async function previewFile(
  service: Service,
  { file, dag = nameOfFile(file), days }: { file: string; dag?: string | undefined; days: number },
  output: Output,
): Promise<number> {
  const spec = await readFile(file, 'utf8')
  const answer = await service.ask('previewSchedule', { body: { name: dag, spec, days } })
  if (!answer.valid) {
    output.show(answer, answer.errors.map((error) => `${file}: ${output.style('red', error)}`).join('\n'))
    return 1
  }
  const { adds, removes, added, removed, kept, collisions, isNew, suspended } = answer
  const lines = (sign: string, fires: typeof adds, all: number): string[] => [
    ...fires.map(({ at, kind }) => `  ${sign} ${output.time(at)}${kind === 'start' ? '' : ` ${kind}`}`),
    ...(all > fires.length ? [`  ${sign} … ${all - fires.length} more`] : []),
  ]
  output.show(
    answer,
    [
      `${dag}: in the next ${days} days ${added} fires added, ${removed} removed, ${kept} kept`,
      ...(isNew ? ['  no DAG of this name is stored, so all of its fires are new'] : []),
      ...(suspended ? ['  the stored DAG is suspended: nothing fires until it is resumed'] : []),
      ...lines('-', removes, removed),
      ...lines('+', adds, added),
      ...collisions.map(({ at, others }) => `  at ${output.time(at)} ${others} other DAGs start as well`),
    ].join('\n'),
  )
  return 0
}
