import { nodeAt } from '#lib/definition/yaml/spec-node.ts'
import { readDocuments } from '#lib/definition/yaml/documents.ts'
import { listOf, mapOf, plainValue, textOf, type PlainMap } from '../plain-value.ts'

/** What a file has that behaves otherwise than in Dagu. Faults and unused fields are reported when it is read. */
export function differencesOf(spec: string): string[] {
  const documents = readDocuments(spec).roots.map((root) => mapOf(plainValue(root)))
  return rules.filter(({ fits }) => documents.some((dag) => fits(dag, stepsOf(dag)))).map(({ note }) => note)
}

/** The schedules of a file, for a report; empty if it has none. */
export function scheduleTextOf(spec: string): string {
  const texts = readDocuments(spec).roots.flatMap((root) => {
    const { schedule } = mapOf(plainValue(root))
    return typeof schedule === 'object' && !Array.isArray(schedule)
      ? Object.values(mapOf(schedule)).flatMap(listOf)
      : listOf(schedule)
  })
  return texts.map(textOf).join(', ')
}

/** The queues of `config.yaml` as the value of MILLRACE_QUEUES; empty if it has none. */
export function queuesOf(config: string): string {
  const [root] = readDocuments(config).roots
  const queues = root && nodeAt(root, ['queues', 'config'])
  return listOf(queues && plainValue(queues))
    .map(mapOf)
    .flatMap((queue) => {
      const [name, most] = [textOf(queue['name']), textOf(queue['maxConcurrency'] ?? queue['maxActiveRuns'])]
      return name !== '' && /^[1-9]\d{0,5}$/.test(most) ? [`${name}=${most}`] : []
    })
    .join(',')
}

interface Rule {
  readonly note: string
  readonly fits: (dag: PlainMap, steps: readonly PlainMap[]) => boolean
}

const executorOf = (step: PlainMap): string =>
  textOf(step['executor']) || textOf(mapOf(step['executor'])['type']) || textOf(step['type'])
const configOf = (step: PlainMap): PlainMap => mapOf(mapOf(step['executor'])['config'] ?? step['config'])

const rules: readonly Rule[] = [
  {
    note: 'steps without a shell run in sh, or in MILLRACE_SHELL; Dagu takes $SHELL of its service',
    fits: (dag, steps) =>
      dag['shell'] === undefined &&
      steps.some(
        (step) => step['shell'] === undefined && ['', 'shell', 'command'].includes(executorOf(step)),
      ),
  },
  {
    note: 'a params map keeps the order of the file; Dagu sorts it by name',
    fits: ({ params }) => Object.keys(mapOf(params)).length > 1,
  },
  {
    note: 'old runs are removed an hour after their end at the earliest, also when the DAG runs no more',
    fits: (dag) => dag['histRetentionDays'] !== undefined,
  },
  {
    note: 'handlers run after a time limit, too; in Dagu they fail at once',
    fits: (dag) => (dag['timeoutSec'] ?? dag['timeout']) !== undefined && dag['handlerOn'] !== undefined,
  },
  {
    note: 'lines of the two streams of a step may change places in a merged log',
    fits: (dag, steps) => [dag, ...steps].some((one) => textOf(one['logOutput']).toLowerCase() === 'merged'),
  },
  {
    note: 'a DAG is called by the name of its file, wherever that lies',
    fits: (_, steps) => steps.some((step) => /\//.test(textOf(step['call'] ?? step['run']))),
  },
  {
    note: 'results of parallel are in the order of its items',
    fits: (_, steps) => steps.some((step) => step['parallel'] !== undefined),
  },
  {
    note: 'an error of a jq filter fails the step',
    fits: (_, steps) => steps.some((step) => executorOf(step) === 'jq'),
  },
  {
    note: 'unknown machines of ssh steps are refused, unless strictHostKey is false',
    fits: (dag, steps) =>
      (dag['ssh'] !== undefined && mapOf(dag['ssh'])['strictHostKey'] === undefined) ||
      steps.some((step) => executorOf(step) === 'ssh' && configOf(step)['strictHostKey'] === undefined),
  },
  {
    note: 'attachments are sent, from the working directory alone; Dagu ignores them',
    fits: (_, steps) => steps.some((step) => configOf(step)['attachments'] !== undefined),
  },
]

/** Steps as a list or as a map, handlers included. */
function stepsOf(dag: PlainMap): PlainMap[] {
  const { steps } = dag
  const listed = Array.isArray(steps) ? steps.flatMap(listOf) : Object.values(mapOf(steps))
  return [...listed, ...Object.values(mapOf(dag['handlerOn']))].map((step) =>
    typeof step === 'string' ? { command: step } : mapOf(step),
  )
}
