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
  const { isDone, copy } = useCopy(text)
  return <Button onPress={() => void copy()}>{isDone ? 'Copied' : children}</Button>
}

/** @returns whether the text was copied a moment ago, and what copies it */
export function useCopy(text: () => string): {
  readonly isDone: boolean
  readonly copy: () => Promise<boolean>
} {
  const [isDone, setDone] = useState(false)
  const copy = async (): Promise<boolean> => {
    const isCopied = await copied(text())
    setDone(isCopied)
    setTimeout(() => setDone(false), 2_000)
    return isCopied
  }
  return { isDone, copy }
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
