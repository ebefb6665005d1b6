import type { Definition } from '#lib/definition/definition.ts'
import { defaultParamsText } from '#lib/definition/params/display-params.ts'

/** What lists show of a DAG. Stored with the spec when it is saved, so that lists never parse specs. */
export interface DagSummary {
  readonly name: string
  readonly group: string
  readonly schedule: { readonly expression: string }[]
  readonly description: string
  /** Names of the parameters; positional ones are called `1`, `2`, … */
  readonly params: string[]
  readonly defaultParams: string
  readonly tags: string[]
}

export function summarizeDag(definition: Definition): DagSummary {
  return {
    name: definition.name,
    group: definition.group,
    schedule: definition.schedule.start.map(({ expression, zone }) => ({
      expression: zone === undefined ? expression : `CRON_TZ=${zone} ${expression}`,
    })),
    description: definition.description,
    params: paramNames(definition),
    defaultParams: defaultParamsText(definition.params),
    tags: [...definition.tags],
  }
}

function paramNames({ params }: Definition): string[] {
  let position = 0
  return params.map(({ name }) => name ?? String(++position))
}
