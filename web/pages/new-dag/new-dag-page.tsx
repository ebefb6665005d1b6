import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useData } from '../../data/page-data.ts'
import { useWriteRefusal } from '../../data/refusal.ts'
import type { Saving, StoredText } from '../../data/spec-calls.ts'
import { templates } from '../../model/templates.ts'
import { SpecDesk } from '../../parts/spec-desk/spec-desk.tsx'

/** Writes a DAG from a template, or from nothing. */
export function NewDagPage() {
  const { ask, links, cache, said } = useData()
  const { route } = useLocation()
  const refusal = useWriteRefusal()
  const [name, setName] = useState('')
  const [begun] = useState<StoredText>({ text: templates[0]?.spec ?? '', tag: '' })

  async function create({ text }: StoredText): Promise<Saving> {
    if (name.trim() === '') throw new Error('the DAG needs a name')
    await ask('createDag', { body: { name: name.trim(), spec: text } })
    return { kind: 'saved', stored: { text, tag: '' } }
  }
  return (
    <>
      <PageHead crumb={<a href={links.dags}>DAGs</a>} title="New DAG" name="New DAG">
        <span class="new-dag-page-space" />
        <a class="new-dag-page-import" href={links.importDags}>
          Import files or a crontab instead
        </a>
      </PageHead>
      <div class="new-dag-page">
        <Name value={name} onChange={setName} />
      </div>
      <SpecDesk
        fileName=""
        naming={{ name: name.trim(), onName: setName }}
        stored={begun}
        refusal={refusal && `Read-only: ${refusal}`}
        save={create}
        onSaved={() => {
          said.value = `${name.trim()} was created`
          void cache.invalidateQueries()
          route(links.dag(name.trim()))
        }}
        tools={templateChoice}
      />
    </>
  )
}

interface NameProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function Name({ value, onChange }: NameProps) {
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

const templateChoice = (replace: (text: string) => void) => <Template onChoose={replace} />

/** Puts another text in place of the one in the editor, where it can be undone. */
function Template({ onChoose }: { readonly onChoose: (text: string) => void }) {
  return (
    <label class="new-dag-page-template">
      Template
      <select
        class="new-dag-page-select"
        onChange={(event) => onChoose(templates[event.currentTarget.selectedIndex]?.spec ?? '')}
      >
        {templates.map(({ title }) => (
          <option key={title}>{title}</option>
        ))}
      </select>
    </label>
  )
}
