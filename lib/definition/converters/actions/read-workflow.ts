import { stringify } from 'yaml'
import { limits } from '#lib/core/limits.ts'
import { parseCron } from '#lib/definition/schedules/parse-cron.ts'
import { literalText } from '#lib/definition/values/literal-text.ts'
import { readDocuments } from '#lib/definition/yaml/documents.ts'
import { plainName, withoutAliases, type Converted } from '../converted.ts'
import { envText, variableOf, type Context } from './expressions.ts'
import { readJobs } from './read-jobs.ts'
import { listOf, mapOf, plainValue, textOf, type Plain, type PlainMap } from '../plain-value.ts'

/** Fields of a workflow that a DAG has, or does not need. */
const used = new Set(['name', 'run-name', 'on', 'env', 'defaults', 'jobs', 'permissions'])

/**
 * Makes one DAG of a workflow of GitHub Actions: the `run` steps of its jobs, in the order that `needs` gives them. A
 * step that `uses` an action becomes one that fails and says so, because nothing here does its work.
 * @param file name of the file, which names the DAG
 */
export function readWorkflow(text: string, file: string): Converted {
  const name = plainName(file.replace(/\.ya?ml$/, '')) || 'workflow'
  const { roots, faults } = readDocuments(text)
  const [problem] = faults.problems()
  if (problem !== undefined) return { name, schedule: '', notes: [], fault: problem.message }
  const workflow = mapOf(roots[0] && plainValue(roots[0]))
  const { schedules, notes, fault } = triggersOf(workflow['on'])
  const schedule = schedules.join(', ')
  if (fault !== undefined) return { name, schedule, notes, fault }
  const context: Context = { matrix: {}, unknown: new Set(), secrets: new Set() }
  const { steps, notes: ofJobs, fault: ofSteps } = readJobs(workflow, context)
  if (ofSteps !== undefined) return { name, schedule, notes, fault: ofSteps }
  const params = inputsOf(workflow['on'])
  const env = Object.entries(mapOf(workflow['env'])).map(([key, value]) => ({
    [variableOf(key)]: envText(value, context),
  }))
  const spec = stringify(
    {
      ...(textOf(workflow['name']) !== '' && { description: literalText(textOf(workflow['name'])) }),
      type: 'graph',
      ...(schedules.length > 0 && { schedule: schedules }),
      ...(params.length > 0 && { params }),
      ...(env.length > 0 && { env }),
      ...(context.secrets.size > 0 && { secrets: [...context.secrets].map((key) => secretOf(key)) }),
      steps,
    },
    withoutAliases,
  )
  if (spec.length > limits.specBytesMax)
    return { name, schedule, notes, fault: `the DAG is larger than ${limits.specBytesMax} bytes` }
  return { name, schedule, spec, notes: [...notes, ...ofJobs, ...notesOn(workflow, context)] }
}

const secretOf = (key: string): object => ({ name: key, provider: 'env', key })

function triggersOf(on: Plain | undefined): { schedules: string[]; notes: string[]; fault?: string } {
  const crons = listOf(mapOf(on)['schedule']).map((entry) => textOf(mapOf(entry)['cron']).trim())
  const zones = listOf(mapOf(on)['schedule']).map((entry) => textOf(mapOf(entry)['timezone']) || 'UTC')
  const schedules = crons.map((cron, index) => `CRON_TZ=${zones[index]} ${cron}`)
  for (const schedule of schedules) {
    const reading = parseCron(schedule)
    if ('fault' in reading) return { schedules, notes: [], fault: reading.fault }
  }
  const words = typeof on === 'string' || Array.isArray(on) ? listOf(on).map(textOf) : Object.keys(mapOf(on))
  const others = words.filter((word) => !['schedule', 'workflow_dispatch'].includes(word))
  return {
    schedules,
    notes: others.length === 0 ? [] : [`nothing starts it on ${others.join(', ')}: call the API from there`],
  }
}

function inputsOf(on: Plain | undefined): Record<string, string>[] {
  const inputs = mapOf(mapOf(mapOf(on)['workflow_dispatch'])['inputs'])
  return Object.entries(inputs).map(([key, input]) => ({
    [variableOf(key)]: literalText(textOf(mapOf(input)['default'])),
  }))
}

function notesOn(workflow: PlainMap, { unknown, secrets }: Context): string[] {
  const unused = Object.keys(workflow).filter((key) => !used.has(key))
  return [
    ...(unused.length === 0 ? [] : [`not used: ${unused.join(', ')}`]),
    ...(unknown.size === 0
      ? []
      : [`stays as written, because Millrace does not know it: ${[...unknown].slice(0, 10).join(' ')}`]),
    ...(secrets.size === 0
      ? []
      : [`the runner needs these variables for the secrets: ${[...secrets].slice(0, 20).join(', ')}`]),
  ]
}
