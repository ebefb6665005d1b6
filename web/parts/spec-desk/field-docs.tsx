import type { SpecField } from '../../model/spec-schema.ts'

interface Props {
  /** Undefined: the cursor is in none. */
  readonly field: SpecField | undefined
  /** Its own fields, if any. */
  readonly inner: readonly SpecField[]
}

/** What the field under the cursor is for. */
export function FieldDocs({ field, inner }: Props) {
  if (field === undefined) {
    return <p class="field-docs quiet">Put the cursor into a field to read what it does.</p>
  }
  return (
    <section class="field-docs" aria-label={`Field ${field.name}`}>
      <h2 class="code">{field.name}</h2>
      {field.isDeprecated && <p>Use another field in new files.</p>}
      <p>{field.about === '' ? 'It has no description.' : field.about}</p>
      {field.takes !== '' && <p class="quiet">Takes: {field.takes}</p>}
      {inner.length > 0 && (
        <dl class="field-docs-inner">
          {inner.map(({ name, about }) => (
            <div key={name}>
              <dt class="code">{name}</dt>
              <dd class="quiet">{about}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
