import { useData } from '../../data/page-data.ts'
import type { RunOutline } from '../../data/run-calls.ts'

/** The version of its DAG that a run was made of, while that is kept. */
export function RunVersion({ run: { fileName, version } }: { readonly run: RunOutline }) {
  const { links } = useData()
  if (fileName === undefined || version === undefined) return null
  return (
    <div class="run-facts-fact">
      <dt>Version</dt>
      <dd>
        <a class="run-facts-version" href={links.versions(fileName, { to: String(version) })}>
          {version}
        </a>
      </dd>
    </div>
  )
}
