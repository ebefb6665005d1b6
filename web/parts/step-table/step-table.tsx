import { useState } from 'preact/hooks'
import type { RunAddress } from '../../model/links.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { ChildRows } from './child-rows.tsx'
import { StepCells } from './step-cells.tsx'
import { StepName } from './step-name.tsx'

interface Props {
  readonly run: RunAddress
  readonly steps: readonly StepRow[]
  /** Where the details of a step are shown. */
  readonly detailsOf?: (step: string) => string
}

/** The steps of a run as words and numbers; the runs that a step started open below it. */
export function StepTable({ run, steps, detailsOf }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (name: string): void => {
    const next = new Set(open)
    if (!next.delete(name)) next.add(name)
    setOpen(next)
  }
  return (
    <div class="step-table" tabIndex={0} role="region" aria-label="Table of steps">
      <table class="data-table-rows step-table-rows" aria-label="Steps">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">State</th>
            <th scope="col">Depends on</th>
            <th scope="col">Exit code</th>
            <th scope="col">Tries</th>
            <th scope="col">Started</th>
            <th scope="col">Took</th>
            <th scope="col">Error</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((row) => (
            <Row
              key={row.name}
              run={run}
              row={row}
              details={detailsOf?.(row.name)}
              isOpen={open.has(row.name)}
              onToggle={() => toggle(row.name)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly run: RunAddress
  readonly row: StepRow
  readonly details: string | undefined
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function Row({ run, row, details, isOpen, onToggle }: RowProps) {
  return (
    <>
      <tr>
        <td class="step-table-name">
          {row.children.length > 0 && (
            <button
              type="button"
              class="step-table-toggle"
              aria-expanded={isOpen}
              aria-label={`Runs of ${row.name}`}
              onClick={onToggle}
            >
              <svg class="step-table-arrow" viewBox="0 0 12 12" aria-hidden="true">
                <path d="m4 2 4 4-4 4" />
              </svg>
            </button>
          )}
          <StepName run={run} row={row} />
          {details !== undefined && (
            <a class="step-table-details" href={details} aria-label={`Details of ${row.name}`}>
              Details
            </a>
          )}
        </td>
        <StepCells row={row} />
      </tr>
      {isOpen && <ChildRows run={run} row={row} />}
    </>
  )
}
