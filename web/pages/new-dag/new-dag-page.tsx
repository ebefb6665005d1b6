import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { useWriteRefusal } from '../../data/refusal.ts'
import { problemHelp } from '../../model/problem-help.ts'
import { HelpLink } from '../../parts/help-link/help-link.tsx'
import { Failure } from '../../parts/load-state/load-state.tsx'

const template = `steps:
  - name: first
    command: echo hello
  - name: second
    command: echo "done"
`

/** Writes a DAG, with the problems of its text beside it. */
export function NewDagPage() {
  const { ask, links, cache, said } = useData()
  const { route } = useLocation()
  const refusal = useWriteRefusal()
  const [name, setName] = useState('')
  const [spec, setSpec] = useState(template)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()

  async function create(): Promise<void> {
    if (isPending || refusal !== undefined) return
    setPending(true)
    setError(undefined)
    try {
      const made = await ask('createDag', { body: { name: name.trim(), spec } })
      said.value = `${made.name} was created`
      void cache.invalidateQueries()
      route(links.dag(made.name))
    } catch (thrown) {
      setError(thrown as Error)
      setPending(false)
    }
  }
  return (
    <>
      <PageHead crumb={<a href={links.dags}>DAGs</a>} title="New DAG" name="New DAG" />
      <form
        class="new-dag-page"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <Name value={name} onChange={setName} />
        <Spec value={spec} onChange={setSpec} />
        <Problems spec={spec} />
        {error !== undefined && <Failure error={error} what="The DAG was not created" />}
        <div class="new-dag-page-actions">
          <Button type="submit" isMain isPending={isPending} refusal={refusal} onPress={() => undefined}>
            Create
          </Button>
          <a href={links.importDags}>Import files or a crontab instead</a>
        </div>
      </form>
    </>
  )
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function Name({ value, onChange }: FieldProps) {
  return (
    <label class="new-dag-page-field">
      Name
      <input
        class="new-dag-page-name"
        value={value}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}

function Spec({ value, onChange }: FieldProps) {
  return (
    <label class="new-dag-page-field">
      Spec
      <textarea
        class="new-dag-page-spec code"
        rows={18}
        wrap="off"
        spellcheck={false}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}

function ProblemHelp({ message }: { readonly message: string }) {
  const page = problemHelp(message)
  return page === undefined ? null : <HelpLink page={page} />
}

/** Milliseconds after the last key until a text is checked. */
const pauseMs = 300

function Problems({ spec }: { readonly spec: string }) {
  const { ask } = useData()
  const [checked, setChecked] = useState(spec)
  useEffect(() => {
    const timer = setTimeout(() => setChecked(spec), pauseMs)
    return () => clearTimeout(timer)
  }, [spec])
  const { data, error } = useQuery(['validate', checked], () =>
    ask('validateDag', { body: { spec: checked } }),
  )
  if (data === undefined) return <p class="quiet">{error === undefined ? '' : error.message}</p>
  const found = [...data.problems, ...data.warnings]
  if (found.length === 0) return <p class="quiet">No problems</p>
  return (
    <ul class="new-dag-page-problems" aria-label="Problems">
      {found.map(({ message, line }) => (
        <li key={`${line} ${message}`}>
          {line === undefined ? message : `line ${line}: ${message}`} <ProblemHelp message={message} />
        </li>
      ))}
    </ul>
  )
}
