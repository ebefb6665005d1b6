import { styledTexts } from './ansi-spans.ts'

/** Characters of a line that are shown at first: more make a browser slow, and nobody reads them. */
const shownMax = 2_000

/** The text of a line, never as markup. */
export function LogText({ line, isWhole = false }: { readonly line: string; readonly isWhole?: boolean }) {
  const isCut = !isWhole && line.length > shownMax
  const shown = isCut ? line.slice(0, shownMax) : line
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
      {isCut && <span class="log-text-cut"> … {line.length - shownMax} more characters: see Raw</span>}
    </>
  )
}
