import { useState } from 'preact/hooks'
import { sizeText } from '../../model/log-window.ts'
import { styledTexts } from './ansi-spans.ts'

/** Characters of a line that are shown at first: more make a browser slow, and nobody reads them. */
const shownMax = 2_000

interface Props {
  readonly line: string
  /** The number of bytes that are not loaded. */
  readonly missing?: number
}

/** The text of a line, never as markup. */
export function LogText({ line, missing = 0 }: Props) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole || line.length <= shownMax ? line : line.slice(0, shownMax)
  const hidden = line.length - shown.length
  return (
    <>
      {styledTexts(shown).map(({ text, classes }, index) =>
        classes === '' ? (
          text
        ) : (
          <span key={index} class={classes}>
            {text}
          </span>
        ),
      )}
      {hidden > 0 && (
        <button type="button" class="log-text-cut" onClick={() => setWhole(true)}>
          … show {sizeText(hidden)} more
        </button>
      )}
      {hidden === 0 && missing > 0 && <span class="log-text-cut"> … {sizeText(missing)} more: see Raw</span>}
    </>
  )
}
