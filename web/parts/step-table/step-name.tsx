import { useData } from '../../data/page-data.ts'
import type { RunAddress } from '../../model/links.ts'
import type { StepRow } from '../../model/step-rows.ts'

/** The name of a step, which leads to its log. */
export function StepName({ run, row }: { readonly run: RunAddress; readonly row: StepRow }) {
  const { links } = useData()
  if (!row.hasLog) return <span title={row.name}>{row.name}</span>
  return (
    <a href={links.log(run, { step: row.name })} title={row.name}>
      {row.name}
    </a>
  )
}
