import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { useData } from '../../data/page-data.ts'
import { useWriteRefusal } from '../../data/refusal.ts'
import { createSuspended } from '../../data/save-dag.ts'
import type { Candidate } from '../../model/import-files.ts'

interface Props {
  readonly candidates: readonly Candidate[]
  readonly ofCron: boolean
}

/** What would be imported, and the result. */
export function Candidates({ candidates, ofCron }: Props) {
  const { ask, cache, links, said } = useData()
  const refusal = useWriteRefusal()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, string>>(new Map())
  const [isPending, setPending] = useState(false)
  useEffect(() => setOutcomes(new Map()), [candidates])
  const good = candidates.filter(({ spec }) => spec !== undefined)

  async function importAll(): Promise<void> {
    setPending(true)
    const done = new Map<string, string>()
    for (const { name, spec = '' } of good) {
      try {
        if (ofCron) await createSuspended(ask, { name, spec })
        else await ask('createDag', { body: { name, spec } })
        done.set(name, 'created')
      } catch (thrown) {
        done.set(name, (thrown as Error).message)
      }
      setOutcomes(new Map(done))
    }
    const count = [...done.values()].filter((outcome) => outcome === 'created').length
    said.value = `${count} of ${good.length} DAGs were created`
    setPending(false)
    await cache.invalidateQueries()
  }
  if (candidates.length === 0) return <Notice title="None of these is a YAML file" />
  return (
    <>
      <table class="import-page-found" aria-label="Found">
        <thead>
          <tr>
            <th scope="col">DAG</th>
            {ofCron && <th scope="col">Schedule</th>}
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {candidates.map(({ name, schedule, fault }, index) => (
            <tr key={`${name} ${index}`}>
              <td>{outcomes.get(name) === 'created' ? <a href={links.dag(name)}>{name}</a> : name}</td>
              {ofCron && <td class="code">{schedule}</td>}
              <td>{fault ?? outcomes.get(name) ?? 'ready'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {good.length > 0 && (
        <div>
          <Button isMain isPending={isPending} refusal={refusal} onPress={() => void importAll()}>
            Import {good.length} {good.length === 1 ? 'DAG' : 'DAGs'}
          </Button>
        </div>
      )}
    </>
  )
}
