import { useId } from 'preact/hooks'
import { boundsText, type ParamField } from '../../model/params-fields.ts'

interface Props {
  readonly field: ParamField
  readonly value: string | undefined
  /** What is wrong with the value. */
  readonly fault: string | undefined
  readonly isFixed: boolean
  readonly onChange: (value: string) => void
}

/** The field of a param, of the kind that its schema asks for. */
export function ParamInput({ field, value, fault, isFixed, onChange }: Props) {
  const id = useId()
  const bounds = boundsText(field)
  const about = [field.description, bounds, field.isRequired ? 'required' : ''].filter((text) => text !== '')
  return (
    <div class="start-dialog-field">
      <label class="start-dialog-name" for={id}>
        {field.name}
      </label>
      <Control
        field={field}
        value={value ?? ''}
        onChange={onChange}
        common={{
          id,
          disabled: isFixed,
          'aria-invalid': fault !== undefined,
          'aria-required': field.isRequired,
          'aria-describedby': `${id}-about`,
        }}
      />
      <p id={`${id}-about`} class="start-dialog-about quiet">
        {fault !== undefined && <b class="start-dialog-fault">{fault}. </b>}
        {about.join(' · ')}
      </p>
    </div>
  )
}

interface ControlProps {
  readonly field: ParamField
  readonly value: string
  readonly onChange: (value: string) => void
  readonly common: {
    readonly id: string
    readonly disabled: boolean
    readonly 'aria-invalid': boolean
    readonly 'aria-required': boolean
    readonly 'aria-describedby': string
  }
}

function Control({ field, value, onChange, common }: ControlProps) {
  const onInput: OnInput = (event) => onChange(event.currentTarget.value)
  switch (field.kind) {
    case 'flag': {
      const { 'aria-required': _, ...flag } = common
      return (
        <input
          {...flag}
          type="checkbox"
          class="start-dialog-flag"
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      )
    }
    case 'choice':
      return (
        <select {...common} class="start-dialog-value" value={value} onChange={onInput}>
          {field.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice === '' ? '(not given)' : choice}
            </option>
          ))}
        </select>
      )
    case 'number':
      return (
        <input
          {...common}
          type="number"
          step={field.bounds.isWhole ? 1 : 'any'}
          min={field.bounds.min}
          max={field.bounds.max}
          class="start-dialog-value"
          value={value}
          onInput={onInput}
        />
      )
    case 'lines':
      return <Lines value={value} onInput={onInput} common={common} />
    case 'text':
    default:
      return (
        <input
          {...common}
          class="start-dialog-value"
          value={value}
          autocomplete="off"
          spellcheck={false}
          onInput={onInput}
        />
      )
  }
}

type OnInput = (event: { readonly currentTarget: { readonly value: string } }) => void

interface LinesProps extends Pick<ControlProps, 'value' | 'common'> {
  readonly onInput: OnInput
}

/** Several lines, where Enter begins the next: with Ctrl it starts. */
function Lines({ value, onInput, common }: LinesProps) {
  const onKeyDown = ({ key, ctrlKey, metaKey, currentTarget }: KeyboardEvent): void => {
    const isStart = key === 'Enter' && (ctrlKey || metaKey)
    if (isStart && currentTarget instanceof HTMLTextAreaElement) currentTarget.form?.requestSubmit()
  }
  return (
    <textarea
      {...common}
      class="start-dialog-lines"
      rows={4}
      value={value}
      onInput={onInput}
      onKeyDown={onKeyDown}
    />
  )
}
