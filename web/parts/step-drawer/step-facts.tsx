import type { ComponentChildren } from 'preact'
import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { hasEnded } from '../../model/states.ts'
import { commandLines, type StepRow } from '../../model/step-rows.ts'
import type { NodeDetails } from '../../data/run-calls.ts'
import { StepValue } from './step-value.tsx'

/** What a step is, and its result. */
export function StepFacts({ node, row }: { readonly node: NodeDetails; readonly row: StepRow }) {
  const { now } = useData()
  const { step } = node
  const texts: readonly (readonly [string, string])[] = [
    ['Exit code', node.exitCode?.toString() ?? ''],
    ['Tries', row.tries === 0 ? '' : String(row.tries)],
    ['Depends on', row.dependsOn.join(', ')],
    ['Executor', step.executorConfig?.type ?? ''],
    ['Folder', step.dir],
    ['Runs the DAG', step.run],
    ['With the params', step.params],
    ['Time limit', step.timeoutSec === undefined ? '' : `${step.timeoutSec} s`],
    ['Command', commandLines(step).join('\n')],
    ['Script', step.script ?? ''],
  ]
  return (
    <dl class="step-drawer-facts">
      <Fact name="Started">
        <Ago at={row.startedAtMs} now={now} />
      </Fact>
      <Fact name="Took">
        <Took startedAt={row.startedAtMs} ms={row.tookMs} isOver={hasEnded(row.state)} now={now} />
      </Fact>
      {node.waitUntilMs !== undefined && (
        <Fact name="Tried again">
          <Ago at={node.waitUntilMs} now={now} />
        </Fact>
      )}
      {texts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <Fact key={name} name={name}>
            <StepValue name={name} text={text} />
          </Fact>
        ))}
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
