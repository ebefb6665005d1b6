import { limits } from '#lib/core/limits.ts'
import type { Definition } from '#lib/definition/definition.ts'
import { maskDefinition } from '#lib/definition/masking/mask-definition.ts'
import { defaultParamsText } from '#lib/definition/params/display-params.ts'

/** What lists show of a DAG. */
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

/** Stored with the spec when it is saved, so that lists never parse specs. */
export interface StoredSummary extends DagSummary {
  /** What readers see who may not edit the DAG; absent when that is the same. */
  readonly masked?: DagSummary
}

export function storedSummary(definition: Definition): StoredSummary {
  const summary = fitted(summarizeDag(definition))
  const masked = fitted(summarizeDag(maskDefinition(definition)))
  return JSON.stringify(masked) === JSON.stringify(summary) ? summary : { ...summary, masked }
}

/** A list may hold a thousand, so of a large one it shows what finds the DAG; its details have the rest. */
function fitted(summary: DagSummary): DagSummary {
  const fits = (one: DagSummary): boolean => JSON.stringify(one).length <= limits.summaryLengthMax
  if (fits(summary)) return summary
  const begun = summary.description.slice(0, limits.summaryDescriptionLength).toWellFormed()
  const short = { ...summary, description: `${begun}…` }
  return fits(short) ? short : { ...short, schedule: [], params: [], defaultParams: '', tags: [] }
}

/** The summary for those who may edit the DAG. */
export function wholeSummary(stored: StoredSummary): DagSummary {
  const { name, group, schedule, description, params, defaultParams, tags } = stored
  return { name, group, schedule, description, params, defaultParams, tags }
}

/** The summary for everybody else. */
export function maskedSummary({ masked, ...summary }: StoredSummary): DagSummary {
  return masked ?? summary
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
