import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../button/button.tsx'

interface Props {
  readonly children: ComponentChildren
  /** What is copied. */
  readonly text: () => string
}

/** Puts a text into the clipboard, and says so. */
export function CopyButton({ children, text }: Props) {
  const [isDone, setDone] = useState(false)
  const copy = async (): Promise<void> => {
    setDone(await copied(text()))
    setTimeout(() => setDone(false), 2_000)
  }
  return <Button onPress={() => void copy()}>{isDone ? 'Copied' : children}</Button>
}

/** A page without TLS has no clipboard: there a selection is copied. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    const isDone = document.execCommand('copy')
    field.remove()
    return isDone
  }
}
