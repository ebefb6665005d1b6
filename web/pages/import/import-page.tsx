import { useState } from 'preact/hooks'
import { crontabLines } from '#lib/definition/crontab/crontab-lines.ts'
import { readCrontab } from '#lib/definition/crontab/read-crontab.ts'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useData } from '../../data/page-data.ts'
import { candidatesOf, isDagFile, type Candidate } from '../../model/import-files.ts'
import { Candidates } from './candidates.tsx'

/** Maximum size of a file in bytes, as in the service. */
const fileBytesMax = 1_048_576

/** Takes DAGs from YAML files, a folder of them, or a crontab. */
export function ImportPage() {
  const { links } = useData()
  const [found, setFound] = useState<{
    readonly candidates: readonly Candidate[]
    readonly ofCron: boolean
  }>()
  const [crontab, setCrontab] = useState('')

  async function takeFiles(input: HTMLInputElement): Promise<void> {
    const files = [...(input.files ?? [])].filter(({ name }) => isDagFile(name))
    const read = await Promise.all(
      files.map(async (file) => ({
        path: file.webkitRelativePath || file.name,
        ...(file.size > fileBytesMax
          ? { fault: `the file has ${file.size} bytes, at most ${fileBytesMax}` }
          : { spec: await file.text() }),
      })),
    )
    setFound({ candidates: candidatesOf(read), ofCron: false })
  }
  function takeCrontab(text: string): void {
    setCrontab(text)
    setFound(text.trim() === '' ? undefined : { candidates: entriesOf(text), ofCron: true })
  }
  return (
    <>
      <PageHead crumb={<a href={links.dags}>DAGs</a>} title="Import DAGs" name="Import DAGs" />
      <div class="import-page">
        <label class="import-page-field">
          YAML files
          <input
            type="file"
            multiple
            accept=".yaml,.yml"
            onChange={(event) => void takeFiles(event.currentTarget)}
          />
        </label>
        <label class="import-page-field">
          A folder, with its subfolders
          <input
            type="file"
            {...{ webkitdirectory: true }}
            onChange={(event) => void takeFiles(event.currentTarget)}
          />
        </label>
        <Crontab value={crontab} onChange={takeCrontab} />
        {found !== undefined && <Candidates {...found} />}
      </div>
    </>
  )
}

interface CrontabProps {
  readonly value: string
  readonly onChange: (text: string) => void
}

function Crontab({ value, onChange }: CrontabProps) {
  return (
    <label class="import-page-field">
      Crontab
      <textarea
        class="import-page-crontab code"
        rows={6}
        wrap="off"
        spellcheck={false}
        placeholder="30 6 * * 1-5 /usr/local/bin/backup"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <span class="quiet">
        Each entry becomes a DAG. Its schedule stays off until you switch it on, so that cron and Millrace do
        not both start it.
      </span>
    </label>
  )
}

function entriesOf(text: string): readonly Candidate[] {
  try {
    return readCrontab(crontabLines(new TextEncoder().encode(text))).map(
      ({ name, spec, fault, line, schedule }) => ({
        name,
        schedule,
        ...(spec === undefined ? { fault: `line ${line}: ${fault}` } : { spec }),
      }),
    )
  } catch (error) {
    return [{ name: 'crontab', fault: (error as Error).message }]
  }
}
