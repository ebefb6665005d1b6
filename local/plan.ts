/** `npm run plan -- FILE [PARAMS]`: what a run of a DAG file would do, found out without doing any of it. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { readConfig } from '#lib/config/config.ts'
import { messageOf } from '#lib/core/errors.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import { previewRun, type RunPreview } from '#lib/runs/preview-run.ts'

const [file, params] = process.argv.slice(2)

async function main(): Promise<number> {
  if (file === undefined) {
    console.error('usage: npm run plan -- FILE [PARAMS]')
    return 2
  }
  const { zone, baseConfigFile } = readConfig(process.env)
  const spec = await readFile(file, 'utf8')
  const base = baseConfigFile === undefined ? {} : { base: await readFile(baseConfigFile, 'utf8') }
  const fileName = basename(file).replace(/\.ya?ml$/, '')
  const { dag, problems } = readSpec(spec, { fileName, ...base })
  for (const problem of problems) console.error(`${file}: ${formatProblem(problem)}`)
  if (problems.length > 0) return 1
  const preview = await previewRun(dag, { params, now: Date.now(), zone })
  console.log([`${dag.name} (queue ${preview.queue})`, ...linesOf(preview)].join('\n'))
  return 0
}

function linesOf({ order, steps, values, nextFires, workerSelector, warnings }: RunPreview): string[] {
  const byName = new Map(steps.map((step) => [step.name, step]))
  const labels = Object.entries(workerSelector).map(([name, value]) => `${name}=${value}`)
  return [
    ...part(
      'values',
      values.map(({ name, value, origin }) => `${name} = ${value}  (${origin})`),
    ),
    ...part(
      'order',
      order.flatMap((names, place) =>
        names.map((name) => {
          const { executor = '', work = [] } = byName.get(name) ?? {}
          return `${place + 1}. ${name}  ${executor}: ${work.join('; ').trim().replaceAll('\n', ' ⏎ ')}`
        }),
      ),
    ),
    ...part('runners', labels),
    ...part(
      'next starts',
      nextFires.map((at) => new Date(at).toISOString()),
    ),
    ...part('warnings', warnings),
  ]
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)]
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
