import { useRef, useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { matchBeside, matchesText, readMatches, type LogMatches } from '../../model/log-matches.ts'

interface Props {
  /** Asks the service for the lines that hold a text, as JSON lines. */
  readonly find: (text: string) => Promise<string>
  /** The line that is marked, counted from 1. */
  readonly current: number | undefined
  readonly onGo: (line: number) => void
}

/** Searches the whole log, also the part that the page does not hold. */
export function LogSearch({ find, current, onGo }: Props) {
  const [matches, setMatches] = useState<LogMatches>()
  const [fault, setFault] = useState('')
  const asked = useRef('')

  async function search(text: string): Promise<void> {
    asked.current = text
    setFault('')
    setMatches(undefined)
    if (text === '') return
    try {
      const found = readMatches(await find(text))
      if (asked.current !== text) return
      setMatches(found)
      if (found.lines[0] !== undefined) onGo(found.lines[0])
    } catch (error) {
      if (asked.current === text) setFault(error instanceof Error ? error.message : String(error))
    }
  }
  const go = (way: 'next' | 'previous'): void => {
    const line = matches && matchBeside(matches, current ?? 0, way)
    if (line !== undefined) onGo(line)
  }
  return (
    <form
      class="log-search"
      onSubmit={(event) => {
        event.preventDefault()
        go('next')
      }}
    >
      <SearchField
        name="Search the log"
        hint="search the whole log"
        value=""
        onChange={(text) => void search(text)}
        takesFind
      />
      {matches !== undefined && matches.lines.length > 1 && (
        <>
          <Button onPress={() => go('previous')}>Previous</Button>
          <Button onPress={() => go('next')}>Next</Button>
        </>
      )}
      <span class="quiet" role="status" aria-label="Matches">
        {fault === '' ? matches && matchesText(matches, current) : fault}
      </span>
    </form>
  )
}
