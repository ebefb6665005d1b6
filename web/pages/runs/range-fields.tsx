import { fieldSeconds, fieldText, rangeNames, type RunRange } from '../../model/run-range.ts'

interface Props {
  readonly range: RunRange
  /** The part of the address that stands for the range. */
  readonly onChange: (query: Readonly<Record<string, string>>) => void
}

/** When the runs were created: a choice, or two times. */
export function RangeFields({ range, onChange }: Props) {
  const setEnd = (end: 'from' | 'to', text: string): void => {
    const seconds = fieldSeconds(text)
    const next = { from: range.from, to: range.to, ...(seconds !== undefined && { [end]: seconds }) }
    if (next.from < next.to) onChange({ from: String(next.from), to: String(next.to) })
  }
  const choose = (value: string): void => {
    if (value === 'chosen') onChange({ from: String(range.from), to: String(range.to) })
    else onChange(value === '' ? {} : { last: value })
  }
  return (
    <div class={range.preset === undefined ? 'range-fields' : 'range-fields range-fields-preset'}>
      <select
        class="range-fields-field"
        aria-label="Range"
        value={range.preset ?? 'chosen'}
        onChange={({ currentTarget: { value } }) => choose(value)}
      >
        {rangeNames.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        <option value="chosen">Chosen range</option>
      </select>
      {(['from', 'to'] as const).map((end) => (
        <input
          key={end}
          class="range-fields-field range-fields-end"
          type="datetime-local"
          aria-label={end === 'from' ? 'From' : 'To'}
          value={fieldText(range[end])}
          onChange={({ currentTarget: { value } }) => setEnd(end, value)}
        />
      ))}
    </div>
  )
}
