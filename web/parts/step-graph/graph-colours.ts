import type { State } from '../../model/states.ts'

export interface GraphColours {
  readonly ink: string
  readonly quiet: string
  readonly line: string
  readonly paper: string
  readonly isForced: boolean
  readonly fillOf: (state: State | undefined) => string
  readonly strokeOf: (state: State | undefined) => string
}

/**
 * A canvas cannot read custom properties, so the colours are read from elements that have them.
 * @param samples an element for each state, and the element around them for the rest
 */
export function readColours(samples: HTMLElement): GraphColours {
  const found = new Map(
    [...samples.querySelectorAll<HTMLElement>('[data-state]')].map((sample) => {
      const { color, borderTopColor } = getComputedStyle(sample)
      return [sample.dataset['state'], { fill: color, stroke: borderTopColor }]
    }),
  )
  const { color, borderTopColor, backgroundColor, outlineColor } = getComputedStyle(samples)
  return {
    ink: color,
    quiet: outlineColor,
    line: borderTopColor,
    paper: backgroundColor,
    isForced: matchMedia('(forced-colors: active)').matches,
    fillOf: (state) => found.get(state ?? 'skipped')?.fill ?? backgroundColor,
    strokeOf: (state) => found.get(state ?? 'skipped')?.stroke ?? borderTopColor,
  }
}

/** Calls back when the colours of the page change. @returns stops watching */
export function watchColours(onChange: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  )
  for (const query of queries) query.addEventListener('change', onChange)
  const choice = new MutationObserver(onChange)
  choice.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] })
  return () => {
    for (const query of queries) query.removeEventListener('change', onChange)
    choice.disconnect()
  }
}
