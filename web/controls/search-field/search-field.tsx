import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  readonly name: string
  readonly hint: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** Ctrl-F leads here too, because the page has only a part of the searched text. */
  readonly takesFind?: boolean
}

/** Milliseconds after the last key until a filter applies. */
const pauseMs = 200

/** A field that filters a list; `/` leads to it. */
export function SearchField({ name, hint, value, onChange, takesFind = false }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const reported = useRef(value)
  // A value from elsewhere, such as from a link, replaces the text of the field.
  useEffect(() => {
    if (value !== reported.current) setText(value)
    reported.current = value
  }, [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => {
      reported.current = text
      onChange(text)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      const isFind = takesFind && event.key === 'f' && (event.ctrlKey || event.metaKey)
      if (!isFind && (event.key !== '/' || isTyping)) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <input
      ref={input}
      type="search"
      class="search-field"
      aria-label={name}
      placeholder={hint}
      autocomplete="off"
      spellcheck={false}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  )
}
