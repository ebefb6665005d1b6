import { useData } from '../../data/page-data.ts'
import type { RunAddress } from '../../model/links.ts'
import { paramsOf } from '../../model/compare-runs.ts'
import { runState } from '../../model/states.ts'
import { ParamChips } from '../param-chips/param-chips.tsx'
import { StateSign } from '../state-mark/state-mark.tsx'
import type { NodeDetails } from '../../data/run-calls.ts'
import { StepValue } from './step-value.tsx'

/** The conditions of a step, its outputs, and the runs that it started. */
export function StepValues({ run, node }: { readonly run: RunAddress; readonly node: NodeDetails }) {
  const outputs = Object.entries(node.outputs ?? {})
  return (
    <>
      {node.step.preconditions.length > 0 && (
        <>
          <h3 class="step-drawer-title">Preconditions</h3>
          <ul class="step-drawer-list">
            {node.step.preconditions.map(({ condition, expected, negate, error }, index) => (
              <li key={index}>
                <code>{condition}</code>
                {expected !== '' && (
                  <>
                    {negate === true ? ' is not ' : ' is '}
                    <code>{expected}</code>
                  </>
                )}
                {error !== '' && <span class="quiet">: {error}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {outputs.length > 0 && (
        <>
          <h3 class="step-drawer-title">Outputs</h3>
          <dl class="step-drawer-facts">
            {outputs.map(([name, value]) => (
              <div key={name} class="step-drawer-pair">
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>
                  <StepValue name={name} text={value} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <Children run={run} node={node} />
    </>
  )
}

const shownMax = 50

const namedValues = (params: string) => [...paramsOf(params)].map(([name, value]) => ({ name, value }))

function Children({ run, node }: { readonly run: RunAddress; readonly node: NodeDetails }) {
  const { links } = useData()
  const all = [...node.children, ...node.childrenRepeated]
  if (all.length === 0) return null
  return (
    <>
      <h3 class="step-drawer-title">Runs that it started</h3>
      <ul class="step-drawer-list">
        {all.slice(0, shownMax).map((child) => (
          <li key={child.dagRunId}>
            <StateSign state={runState(child.status)} />{' '}
            <a href={links.runAt({ name: run.name, runId: run.runId, childId: child.dagRunId })}>
              {child.name}
            </a>{' '}
            <code class="quiet">{child.dagRunId.slice(0, 8)}</code>
            {child.params !== '' && <ParamChips params={namedValues(child.params)} isBrief />}
          </li>
        ))}
        {all.length > shownMax && <li class="quiet">and {all.length - shownMax} more</li>}
      </ul>
    </>
  )
}
