import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { newKey } from '../../data/call.ts'
import { useData } from '../../data/page-data.ts'
import { changedParams, paramFields, valuesOfRun, type ParamField } from '../../model/params-fields.ts'
import { Failure } from '../load-state/load-state.tsx'

interface Props {
  readonly fileName: string
  readonly dag: { readonly name: string; readonly params: readonly string[]; readonly defaultParams: string }
  /** Values of an earlier run, to start with. */
  readonly given?: string
  readonly onClose: () => void
}

/** Asks for the params of a run, and starts it. */
export function StartDialog({ fileName, dag, given, onClose }: Props) {
  const { ask, links, said, cache } = useData()
  const { route } = useLocation()
  const fields = paramFields(dag.params, dag.defaultParams)
  const [values, setValues] = useState<Values>(() =>
    given === undefined ? {} : valuesOfRun(dag.params, given),
  )
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  // The same key for every try of this dialog: a start whose answer was lost is not made twice.
  const key = useRef(newKey())

  async function send(operation: 'startDag' | 'enqueueDag'): Promise<void> {
    setPending(true)
    setError(undefined)
    const params = changedParams(fields, values)
    try {
      const { dagRunId } = await ask(operation, {
        params: { fileName },
        headers: { 'Idempotency-Key': key.current },
        body: params === undefined ? {} : { params },
      })
      said.value = `${fileName} was started`
      void cache.invalidateQueries()
      onClose()
      route(links.run(dag.name, dagRunId))
    } catch (thrown) {
      key.current = newKey()
      setError(thrown as Error)
      setPending(false)
    }
  }

  return (
    <Dialog title={`Start ${fileName}`} onClose={onClose}>
      <form
        class="start-dialog"
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending) void send('startDag')
        }}
      >
        <Fields fields={fields} values={values} onChange={setValues} />
        {error !== undefined && <Failure error={error} what="It was not started" />}
        <div class="start-dialog-actions">
          <Button type="submit" isMain isPending={pending} onPress={() => undefined}>
            Start
          </Button>
          <Button isPending={pending} onPress={() => void send('enqueueDag')}>
            Enqueue
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}

type Values = Readonly<Record<string, string>>

interface FieldsProps {
  readonly fields: readonly ParamField[]
  readonly values: Values
  readonly onChange: (values: Values) => void
}

function Fields({ fields, values, onChange }: FieldsProps) {
  if (fields.length === 0) return <p class="quiet">It takes no params.</p>
  return (
    <>
      {fields.map(({ name, value }) => (
        <label key={name} class="start-dialog-field">
          <span class="start-dialog-name">{name}</span>
          <input
            class="start-dialog-value"
            value={values[name] ?? value}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
    </>
  )
}
