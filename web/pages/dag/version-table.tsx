import type { Answer } from '#lib/client/client.ts'
import { Button } from '../../controls/button/button.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { useWriteRefusal } from '../../data/refusal.ts'
import { before, choiceQuery } from '../../model/version-choice.ts'

export type Version = Extract<Answer<'listDagVersions'>, { status: 200 }>['body']['versions'][number]

interface Props {
  readonly fileName: string
  /** Newest first. */
  readonly versions: readonly Version[]
  /** The one whose changes are shown. */
  readonly shown: number
  readonly onRestore: (version: number) => void
}

/** Versions as rows. Each leads to what it changed. */
export function VersionTable({ fileName, versions, shown, onRestore }: Props) {
  const numbers = versions.map(({ version }) => version)
  return (
    <table class="version-table" aria-label="Versions">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">Saved</th>
          <th scope="col">Change</th>
          <th scope="col">
            <span class="unseen">Restore</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {versions.map((version, index) => (
          <Row
            key={version.version}
            fileName={fileName}
            version={version}
            previous={before(version.version, numbers)}
            isShown={version.version === shown}
            isNow={index === 0 && version.change !== 'deleted'}
            onRestore={onRestore}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps extends Pick<Props, 'fileName' | 'onRestore'> {
  readonly version: Version
  readonly previous: number | undefined
  readonly isShown: boolean
  readonly isNow: boolean
}

function Row({ fileName, version: saved, previous, isShown, isNow, onRestore }: RowProps) {
  const { links, now } = useData()
  const refusal = useWriteRefusal()
  const { version, savedAtMs, savedBy, source, message } = saved
  const href = links.versions(fileName, choiceQuery({ from: previous, to: version }))
  return (
    <tr class={isShown ? 'version-table-row version-table-shown' : 'version-table-row'}>
      <th scope="row" class="version-table-number">
        <a
          href={href}
          aria-current={isShown ? 'true' : undefined}
          aria-label={`Changes of version ${version}`}
        >
          {version}
        </a>
      </th>
      <td class="version-table-saved">
        <Ago at={savedAtMs} now={now} />
        <br />
        <span class="quiet">
          {savedBy === undefined ? sources[source] : `${savedBy}, ${sources[source]}`}
        </span>
      </td>
      <td class="version-table-change">
        {changeText(saved)}
        {isNow && <span class="quiet"> (now)</span>}
        {message !== undefined && (
          <p class="version-table-message" dir="auto">
            {message}
          </p>
        )}
      </td>
      <td class="version-table-act">
        {!isNow && (
          <Button refusal={refusal} onPress={() => onRestore(version)}>
            Restore<span class="unseen"> version {version}</span>
          </Button>
        )}
      </td>
    </tr>
  )
}

const sources: Readonly<Record<Version['source'], string>> = {
  page: 'page',
  cli: 'command line',
  api: 'API',
  folder: 'folder of DAGs',
  service: 'service',
}

function changeText({ change, fileName, restoredVersion }: Version): string {
  if (change === 'renamed') return `renamed to ${fileName}`
  return change === 'restored' ? `restored version ${restoredVersion}` : change
}
