import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { useData } from '../../data/page-data.ts'
import { useLetters } from '../../data/page-keys.ts'
import { matchBeside, matchesText, readMatches } from '../../model/log-matches.ts'
import type { Search } from '../../parts/log-search/log-search.tsx'

interface Props {
  /** Asks the service for the lines that match, as JSON lines. */
  readonly find: (search: Search) => Promise<string>
  /** The line that is marked, counted from 1. */
  readonly current: number | undefined
  readonly onGo: (line: number) => void
}

/** Jumps between lines with errors, by button or with `n` and `p`. */
export function ErrorLines({ find, current, onGo }: Props) {
  const [summary, setSummary] = useState('')
  const { preferences } = useData()
  const wanted = preferences.errorPattern.value
  async function go(way: 'next' | 'previous'): Promise<void> {
    try {
      // Asked again each time, because the log may have grown.
      const matches = readMatches(await find({ q: wanted, regex: 'true', case: 'false' }))
      const line = matchBeside(matches, current ?? 0, way)
      setSummary(matchesText(matches, line, ['error', 'errors']))
      if (line !== undefined) onGo(line)
    } catch (error) {
      setSummary(error instanceof Error ? error.message : String(error))
    }
  }
  useLetters((letter) => {
    if (letter !== 'n' && letter !== 'p') return false
    void go(letter === 'n' ? 'next' : 'previous')
    return true
  })
  return (
    <>
      <Button onPress={() => void go('next')}>Next error</Button>
      <span class="quiet" role="status" aria-label="Errors">
        {summary}
      </span>
    </>
  )
}
