import Anser from 'anser'

/** A piece of a line in one style. */
export interface StyledText {
  readonly text: string
  readonly classes: string
}

const names = new Set(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'])

/** Terminal control sequences, which are removed. */
const controls = /(?!\t)\p{Cc}/gu

/** Sequences for window titles and links, whose content is removed too. */
const commands = /(?!\t)\p{Cc}\][^\p{Cc}]*(?!\t)\p{Cc}\\?/gu

/**
 * Colours, bold and underline of a line. The 16 colours are those of the page, so that they can be read in both
 * themes; other colours are left out.
 */
export function styledTexts(line: string): StyledText[] {
  if (!line.includes('\u001b')) return [{ text: line.replaceAll(controls, ''), classes: '' }]
  return Anser.ansiToJson(line.replaceAll(commands, ''), { use_classes: true, remove_empty: true }).map(
    ({ content, fg, decorations }) => ({
      text: content.replaceAll(controls, ''),
      classes: [colourOf(fg), ...new Set(decorations.map(decorationOf))]
        .filter((name) => name !== '')
        .join(' '),
    }),
  )
}

function colourOf(colour: string | null): string {
  const name = (colour ?? '').replace(/^ansi-(bright-)?/, '')
  return names.has(name) ? `ansi-${name}` : ''
}

const decorationOf = (decoration: string): string =>
  decoration === 'bold' || decoration === 'underline' ? `ansi-${decoration}` : ''
