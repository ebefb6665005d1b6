import { pageHelp } from '#lib/core/help-pages.ts'
import type { RunAddress } from '../../model/links.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { HelpLink } from '../help-link/help-link.tsx'
import { LastLines } from '../last-lines/last-lines.tsx'
import { StateMark } from '../state-mark/state-mark.tsx'

/** A failed step: its error and its last lines. */
export function FailedStep({ run, row }: { readonly run: RunAddress; readonly row: StepRow }) {
  return (
    <div class="failed-step">
      <h2 class="failed-step-head">
        <StateMark state="failed" />
        <span class="failed-step-name">{row.name}</span>
        <span class="failed-step-error">{row.error}</span>
      </h2>
      <LastLines run={run} row={row} stream="stderr" />
      <LastLines run={run} row={row} stream="stdout" />
      <HelpLink page={pageHelp.failedStep} text="What to do" />
    </div>
  )
}
