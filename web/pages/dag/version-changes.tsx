import { useLocation } from 'preact-iso/router'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { choiceQuery, type VersionChoice } from '../../model/version-choice.ts'
import { DiffView } from '../../parts/diff-view/diff-view.tsx'
import { Loaded } from '../../parts/load-state/load-state.tsx'

interface Props {
  readonly fileName: string
  /** Newest first. */
  readonly versions: readonly number[]
  readonly choice: VersionChoice
}

/** What changed between two versions, which are chosen here or in the table. */
export function VersionChanges({ fileName, versions, choice }: Props) {
  const { ask, links } = useData()
  const { route } = useLocation()
  const { from, to } = choice
  const textOf = async (version: number | undefined): Promise<string> =>
    version === undefined ? '' : (await ask('getDagVersion', { params: { fileName, version } })).spec
  const reading = useQuery(['dag', fileName, 'changes', String(from), String(to)], async () => {
    const [before, after] = await Promise.all([textOf(from), textOf(to)])
    return { before, after }
  })
  const go = (next: VersionChoice): void => route(links.versions(fileName, choiceQuery(next)), true)
  const name = from === undefined ? `Text of version ${to}` : `Changes from version ${from} to ${to}`
  return (
    <section class="version-changes" aria-label="Changes">
      <div class="version-changes-choice">
        <label>
          From{' '}
          <select
            value={String(from ?? 'nothing')}
            onChange={({ currentTarget: { value } }) =>
              go({ from: value === 'nothing' ? undefined : Number(value), to })
            }
          >
            <option value="nothing">nothing</option>
            <Options versions={versions} chosen={from} />
          </select>
        </label>
        <label>
          to{' '}
          <select
            aria-label="To"
            value={String(to)}
            onChange={({ currentTarget: { value } }) => go({ from, to: Number(value) })}
          >
            <Options versions={versions} chosen={to} />
          </select>
        </label>
      </div>
      <Loaded reading={reading} what={name}>
        {({ before, after }) => <DiffView name={name} before={before} after={after} />}
      </Loaded>
    </section>
  )
}

/** The versions that are listed, and the chosen one, which may not be. */
function Options({
  versions,
  chosen,
}: {
  readonly versions: readonly number[]
  readonly chosen: number | undefined
}) {
  const all = chosen === undefined || versions.includes(chosen) ? versions : [...versions, chosen]
  return (
    <>
      {all.map((version) => (
        <option key={version} value={String(version)}>
          version {version}
        </option>
      ))}
    </>
  )
}
