import { useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { paramFields } from '../../model/params-fields.ts'
import { valuesOfRun, type ParamValues } from '../../model/params-text.ts'
import { Failure } from '../load-state/load-state.tsx'
import { ParamInput } from './param-input.tsx'
import { StartMore } from './start-more.tsx'
import { StartPlan } from './start-plan.tsx'
import { useFormFocus } from './use-form-focus.ts'
import { usePlan } from './use-plan.ts'
import { useStart, type StartOptions } from './use-start.ts'
import type { DagAnswer } from '../../data/dag-answer.ts'

interface Props {
  readonly fileName: string
  readonly answer: DagAnswer
  readonly given: string
  readonly onClose: () => void
}

/** A field for each param; Start and Enqueue make a run, Plan shows what it would do. */
export function StartForm({ fileName, answer, given, onClose }: Props) {
  const { dag } = answer
  const form = useRef<HTMLFormElement>(null)
  // The params when the form was opened, because the DAG may have been saved since.
  const fields = useMemo(() => paramFields(answer), [])
  const names = fields.map(({ name }) => name)
  const [values, setValues] = useState<ParamValues>(() => valuesOfRun(names, given))
  const [options, setOptions] = useState<StartOptions>({ runId: '', queue: '', isAlone: false })
  const start = useStart({ fileName, name: dag.name, fields, values, options, onStarted: onClose })
  const plan = usePlan({ fileName, fields, values, start })
  const isFixed = dag.runConfig?.disableParamEdit === true
  useFormFocus(form, fields.length > 0, start.faults)
  return (
    <form
      ref={form}
      class="start-dialog"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!start.isPending) void start.send('startDag')
      }}
    >
      {fields.length === 0 && <p class="quiet">It has no params.</p>}
      {isFixed && <p class="quiet">The DAG does not allow other params.</p>}
      {fields.map((field) => (
        <ParamInput
          key={field.name}
          field={field}
          value={values[field.name] ?? field.value}
          fault={start.faults.get(field.name)}
          isFixed={isFixed}
          onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <StartMore
        options={options}
        hasRunId={dag.runConfig?.disableRunIdEdit !== true}
        onChange={setOptions}
      />
      {start.error !== undefined && <Failure error={start.error} what="It was not started" />}
      <div class="start-dialog-actions">
        <Button type="submit" isMain isPending={start.isPending} onPress={() => undefined}>
          Start
        </Button>
        <Button isPending={start.isPending} onPress={() => void start.send('enqueueDag')}>
          Enqueue
        </Button>
        <Button isPending={start.isPending} onPress={() => void plan.ask()}>
          Plan
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
      {plan.answer !== undefined && <StartPlan answer={plan.answer} />}
    </form>
  )
}
