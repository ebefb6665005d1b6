import { problemHelp } from '../../model/problem-help.ts'
import { HelpLink } from '../help-link/help-link.tsx'
import type { MarkedProblem } from '../spec-editor/problem-marks.ts'

interface Props {
  readonly problems: readonly MarkedProblem[]
  /** Whether they are known. */
  readonly isChecked: boolean
  /** Why the text cannot be checked now. */
  readonly error: Error | undefined
  readonly onOpen: (problem: MarkedProblem) => void
}

/** The errors and warnings of a text; each leads to its position. */
export function ProblemList({ problems, isChecked, error, onOpen }: Props) {
  return (
    <div class="problem-list">
      {error !== undefined && <p class="problem-list-note">Not checked: {error.message}</p>}
      {isChecked && problems.length === 0 && <p class="problem-list-note">No problems</p>}
      {problems.length > 0 && (
        <ul class="problem-list-items" aria-label="Problems">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.column} ${problem.message}`}>
              <button
                type="button"
                class={`problem-list-item${problem.isWarning ? ' problem-list-warning' : ''}`}
                onClick={() => onOpen(problem)}
              >
                {problem.line === undefined ? problem.message : `line ${problem.line}: ${problem.message}`}
                {problem.isWarning && <span class="quiet"> (warning)</span>}
              </button>
              <ProblemHelp message={problem.message} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function ProblemHelp({ message }: { readonly message: string }) {
  const page = problemHelp(message)
  return page === undefined ? null : <HelpLink page={page} />
}
