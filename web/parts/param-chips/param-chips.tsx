import { useState } from 'preact/hooks'
import { useCopy } from '../../controls/copy/copy-button.tsx'
import { useData } from '../../data/page-data.ts'

interface Param {
  readonly name: string
  readonly value: string
}

interface Props {
  readonly params: readonly Param[]
  /** A compact form for rows, without buttons. */
  readonly isBrief?: boolean
}

/** Characters of a value, and chips, that are shown at first. */
const valueMax = { whole: 60, brief: 24 }
const chipsMax = { whole: 12, brief: 3 }

/** The params of a run as separate chips. */
export function ParamChips({ params, isBrief = false }: Props) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? params : params.slice(0, chipsMax[isBrief ? 'brief' : 'whole'])
  const rest = params.length - shown.length
  return (
    <ul class={isBrief ? 'param-chips param-chips-brief' : 'param-chips'} aria-label="Params">
      {shown.map((param) => (
        <Chip key={param.name} param={param} isBrief={isBrief} />
      ))}
      {rest > 0 && (
        <li>
          {isBrief ? (
            <span class="quiet">and {rest} more</span>
          ) : (
            <button type="button" class="param-chips-button" onClick={() => setAll(true)}>
              Show {rest} more
            </button>
          )}
        </li>
      )}
    </ul>
  )
}

function Chip({ param: { name, value }, isBrief }: { readonly param: Param; readonly isBrief: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const max = valueMax[isBrief ? 'brief' : 'whole']
  const isCut = value.length > max && !isWhole
  return (
    <li class="param-chips-chip">
      <span class="param-chips-name" title={name}>
        {name}
      </span>
      <code class="param-chips-value" dir="auto" {...(isBrief && isCut && { title: value })}>
        {isCut ? `${value.slice(0, max)}…` : value}
      </code>
      {!isBrief && value.length > max && (
        <button
          type="button"
          class="param-chips-button"
          aria-expanded={isWhole}
          aria-label={`All of ${name}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'less' : 'all'}
        </button>
      )}
      {!isBrief && <Copy name={name} value={value} />}
    </li>
  )
}

function Copy({ name, value }: Param) {
  const { said } = useData()
  const { isDone, copy } = useCopy(() => value)
  return (
    <button
      type="button"
      class="param-chips-button"
      aria-label={`Copy ${name}`}
      onClick={() => void copy().then((isCopied) => isCopied && (said.value = `${name} is copied`))}
    >
      <svg class="param-chips-icon" viewBox="0 0 14 14" aria-hidden="true">
        <path d={isDone ? 'M2 7.5 5.5 11 12 3.5' : 'M4.5 4.5h7v7h-7zM9.5 4.5v-2h-7v7h2'} />
      </svg>
    </button>
  )
}
