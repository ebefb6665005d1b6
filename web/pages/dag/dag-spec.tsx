import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'

/** The text of a DAG, to be read. */
export function DagSpec({ fileName }: { readonly fileName: string }) {
  const { ask } = useData()
  const reading = useQuery(['dag', fileName, 'spec'], () => ask('getDagSpec', { params: { fileName } }))
  return (
    <Loaded reading={reading} what={`the text of ${fileName}`}>
      {({ spec }) => (
        <pre class="dag-page-spec" tabIndex={0} role="region" aria-label="Spec">
          {spec}
        </pre>
      )}
    </Loaded>
  )
}
