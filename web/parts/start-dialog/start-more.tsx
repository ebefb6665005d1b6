import type { StartOptions } from './use-start.ts'

interface Props {
  readonly options: StartOptions
  readonly hasRunId: boolean
  readonly onChange: (options: StartOptions) => void
}

/** The rarely needed fields of a start. */
export function StartMore({ options, hasRunId, onChange }: Props) {
  const { runId, queue, isAlone } = options
  return (
    <details class="start-more">
      <summary class="start-more-head">More</summary>
      {hasRunId && (
        <Text
          name="Run id"
          hint="created by the service"
          value={runId}
          onInput={(text) => onChange({ ...options, runId: text })}
        />
      )}
      <Text
        name="Queue"
        hint="that of the DAG; used by Enqueue"
        value={queue}
        onInput={(text) => onChange({ ...options, queue: text })}
      />
      <label class="start-more-flag">
        <input
          type="checkbox"
          checked={isAlone}
          onChange={(event) => onChange({ ...options, isAlone: event.currentTarget.checked })}
        />
        Only if no run of it is active
      </label>
    </details>
  )
}

interface TextProps {
  readonly name: string
  readonly hint: string
  readonly value: string
  readonly onInput: (text: string) => void
}

function Text({ name, hint, value, onInput }: TextProps) {
  return (
    <label class="start-dialog-field">
      <span>{name}</span>
      <input
        class="start-dialog-value"
        value={value}
        placeholder={hint}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}
