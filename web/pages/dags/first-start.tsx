import { pageHelp } from '#lib/core/help-pages.ts'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { newKey } from '../../data/call.ts'
import { useData } from '../../data/page-data.ts'
import { useWriteRefusal } from '../../data/refusal.ts'
import { createUnlessThere } from '../../data/save-dag.ts'
import { examples, type Example } from '../../model/examples.ts'
import { HelpLink } from '../../parts/help-link/help-link.tsx'
import { Failure } from '../../parts/load-state/load-state.tsx'

/** What to do while there are no DAGs. */
export function FirstStart() {
  const { ask, links, cache, said } = useData()
  const { route } = useLocation()
  const refusal = useWriteRefusal()
  const [pending, setPending] = useState('')
  const [error, setError] = useState<Error>()

  async function run({ name, spec }: Example): Promise<void> {
    setPending(name)
    setError(undefined)
    try {
      await createUnlessThere(ask, { name, spec })
      const { dagRunId } = await ask('startDag', {
        params: { fileName: name },
        headers: { 'Idempotency-Key': newKey() },
      })
      said.value = `${name} was started`
      void cache.invalidateQueries()
      route(links.run(name, dagRunId))
    } catch (thrown) {
      setError(thrown as Error)
      setPending('')
    }
  }
  return (
    <Notice title="There is no DAG yet">
      <p>A DAG is a YAML text with steps. Run an example to see one:</p>
      <ul class="first-start">
        {examples.map((example) => (
          <li key={example.name} class="first-start-example">
            <Button refusal={refusal} isMain isPending={pending !== ''} onPress={() => void run(example)}>
              Run {example.name}
            </Button>
            <span>{example.about}</span>
          </li>
        ))}
      </ul>
      {error !== undefined && <Failure error={error} what="The example was not started" />}
      <p>
        Or write a <a href={links.newDag}>new DAG</a>, or{' '}
        <a href={links.importDags}>import YAML files or a crontab</a>. To load a whole folder, set
        <code>MILLRACE_DAGS_DIR</code>. The <HelpLink page={pageHelp.firstDag} text="tutorial" /> takes twenty
        minutes.
      </p>
    </Notice>
  )
}
