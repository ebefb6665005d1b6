import { useRef, useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { Switch } from '../../controls/switch/switch.tsx'
import { matchBeside, matchesText, readMatches, type LogMatches } from '../../model/log-matches.ts'

/** The query, as the service takes it. */
export interface Search {
  readonly q: string
  readonly regex: 'true' | 'false'
  readonly case: 'true' | 'false'
}

interface Props {
  /** Asks the service for the lines that match, as JSON lines. */
  readonly find: (search: Search) => Promise<string>
  /** The line that is marked, counted from 1. */
  readonly current: number | undefined
  readonly onGo: (line: number) => void
}

const plain: Search = { q: '', regex: 'false', case: 'false' }

/** Searches the whole log, including parts that are not loaded. */
export function LogSearch({ find, current, onGo }: Props) {
  const [matches, setMatches] = useState<LogMatches>()
  const [fault, setFault] = useState('')
  const [search, setSearch] = useState(plain)
  const asked = useRef(plain)

  async function look(wanted: Search): Promise<void> {
    asked.current = wanted
    setSearch(wanted)
    setFault('')
    setMatches(undefined)
    if (wanted.q === '') return
    try {
      const found = readMatches(await find(wanted))
      if (asked.current !== wanted) return
      setMatches(found)
      if (found.lines[0] !== undefined) onGo(found.lines[0])
    } catch (error) {
      if (asked.current === wanted) setFault(error instanceof Error ? error.message : String(error))
    }
  }
  const go = (way: 'next' | 'previous'): void => {
    const line = matches && matchBeside(matches, current ?? 0, way)
    if (line !== undefined) onGo(line)
  }
  const toggle = (key: 'regex' | 'case') => (isOn: boolean) =>
    void look({ ...search, [key]: isOn ? 'true' : 'false' })
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
        onChange={(q) => void look({ ...asked.current, q })}
        takesFind
      />
      {search.q !== '' && (
        <>
          <Switch name="Regex" isOn={search.regex === 'true'} onChange={toggle('regex')} isLabelled />
          <Switch name="Match case" isOn={search.case === 'true'} onChange={toggle('case')} isLabelled />
        </>
      )}
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
