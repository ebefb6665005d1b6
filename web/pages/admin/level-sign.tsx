import { StateMark } from '../../parts/state-mark/state-mark.tsx'

export type Level = 'ok' | 'warn' | 'fail'

const states = { ok: 'success', warn: 'partial_success', fail: 'failed' } as const
const words = { ok: 'ok', warn: 'warning', fail: 'failed' } as const

/** A severity: a shape, a colour and a word. */
export function LevelSign({ level, word = words[level] }: { readonly level: Level; readonly word?: string }) {
  return (
    <span class="state-sign">
      <StateMark state={states[level]} />
      {word}
    </span>
  )
}
