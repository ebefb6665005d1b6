import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import type { Target } from '../../model/palette-targets.ts'
import { useTargets } from './use-targets.ts'

interface Props {
  readonly onClose: () => void
  readonly onHelp: () => void
}

/** Finds a page, a DAG, a run or an action by a few letters, and goes there. */
export function Palette({ onClose, onHelp }: Props) {
  const { route } = useLocation()
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const { targets, isSearching } = useTargets(text, onHelp)
  const chosen = Math.min(index, targets.length - 1)

  function go(target: Target | undefined): void {
    if (target === undefined) return
    onClose()
    if ('href' in target) route(target.href)
    else target.act()
  }
  function onKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setIndex((chosen + step + targets.length) % Math.max(1, targets.length))
    else if (event.key === 'Enter') go(targets[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        class="palette-text"
        role="combobox"
        aria-label="Go to"
        aria-expanded={targets.length > 0}
        aria-controls="palette-list"
        aria-autocomplete="list"
        {...(targets.length > 0 && { 'aria-activedescendant': `palette-${chosen}` })}
        placeholder="page, DAG, step, run id or action"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setIndex(0)
        }}
        onKeyDown={onKey}
      />
      <Options targets={targets} chosen={chosen} onChoose={go} />
      <p class="quiet" role="status">
        {!isSearching && !targets.some(({ key }) => key !== 'search') ? 'Nothing has this name' : ''}
      </p>
    </Dialog>
  )
}

interface OptionsProps {
  readonly targets: readonly Target[]
  readonly chosen: number
  readonly onChoose: (target: Target) => void
}

/** The focus stays in the field, which names the chosen one. */
function Options({ targets, chosen, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen, targets])
  return (
    <div ref={list} id="palette-list" class="palette-list" role="listbox" aria-label="Pages and actions">
      {targets.map((target, index) => (
        <button
          key={target.key}
          id={`palette-${index}`}
          type="button"
          role="option"
          aria-selected={index === chosen}
          class="palette-option"
          tabIndex={-1}
          onClick={() => onChoose(target)}
        >
          <span class="palette-name">{target.name}</span>
          <span class="palette-kind">{target.kind}</span>
        </button>
      ))}
    </div>
  )
}
