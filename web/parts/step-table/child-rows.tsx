import { useQuery } from '../../data/cache.ts'
import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { callsAbout, runKey } from '../../data/run-calls.ts'
import type { RunAddress } from '../../model/links.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { stepRows, type ChildNode, type StepRow } from '../../model/step-rows.ts'
import { ParamChips } from '../param-chips/param-chips.tsx'
import { StateSign } from '../state-mark/state-mark.tsx'
import { StepCells } from './step-cells.tsx'
import { StepName } from './step-name.tsx'

/** Runs whose steps are shown at once. */
const shownMax = 20

/** The runs that a step started, each with its steps. */
export function ChildRows({ run, row }: { readonly run: RunAddress; readonly row: StepRow }) {
  const shown = row.children.slice(0, shownMax)
  return (
    <>
      {shown.map((child) => (
        <Child
          key={child.dagRunId}
          address={{ name: run.name, runId: run.runId, childId: child.dagRunId }}
          child={child}
        />
      ))}
      {row.children.length > shown.length && (
        <tr>
          <td class="step-table-child" colSpan={8}>
            and {row.children.length - shown.length} more: see the details of {row.name}
          </td>
        </tr>
      )}
    </>
  )
}

function Child({ address, child }: { readonly address: RunAddress; readonly child: ChildNode }) {
  const { ask, links, now } = useData()
  const state = runState(child.status)
  const { data } = useQuery(runKey(address), () => callsAbout(ask, address).outline(), !hasEnded(state))
  return (
    <>
      <tr>
        <td class="step-table-name step-table-child">
          <a href={links.runAt(address)}>{child.name}</a>{' '}
          <code class="quiet">{child.dagRunId.slice(0, 8)}</code>
        </td>
        <td>
          <StateSign state={state} />
        </td>
        <td class="step-table-depends">
          {data === undefined || data.paramsList.length === 0 ? (
            '–'
          ) : (
            <ParamChips params={data.paramsList} isBrief />
          )}
        </td>
        <td>–</td>
        <td>–</td>
        <td>
          <Ago at={data?.startedAtMs} now={now} />
        </td>
        <td>
          <Took startedAt={data?.startedAtMs} ms={data?.durationMs} isOver={hasEnded(state)} now={now} />
        </td>
        <td class="step-table-error">{data?.error.split('\n')[0]}</td>
      </tr>
      {data !== undefined && stepRows(data).map((row) => <Inner key={row.name} run={address} row={row} />)}
    </>
  )
}

/** A step of a run that a step started. */
function Inner({ run, row }: { readonly run: RunAddress; readonly row: StepRow }) {
  return (
    <tr>
      <td class="step-table-name step-table-inner">
        <StepName run={run} row={row} />
      </td>
      <StepCells row={row} />
    </tr>
  )
}
