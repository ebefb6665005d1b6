import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import type { RunOutline } from '../../data/run-calls.ts'
import { choiceQuery } from '../../model/version-choice.ts'

const askedMs = 15_000

/** Of a run that may be retried: that its DAG was saved since, and which text each button takes. */
export function ChangedSince({ run }: { readonly run: RunOutline }) {
  const { ask, links } = useData()
  const { fileName = '', version: from } = run
  const { data } = useQuery(
    ['dag', fileName],
    () => ask('getDag', { params: { fileName } }),
    askedMs,
    fileName !== '' && from !== undefined,
  )
  const to = data?.version
  if (from === undefined || to === undefined || to <= from) return null
  return (
    <p class="run-page-changed">
      <a href={links.versions(fileName, choiceQuery({ from, to }))}>The DAG was saved since</a>:{' '}
      <b>Retry failed</b> keeps version {from}, <b>Run again…</b> takes version {to}.
    </p>
  )
}
