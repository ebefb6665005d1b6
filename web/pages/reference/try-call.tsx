import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { useData, type PageData } from '../../data/page-data.ts'
import { bodyOf, callUrl, type Operation } from '../../model/operations.ts'

/** Characters of an answer that are shown. */
const shownMax = 100_000

type Values = Readonly<Record<string, string>>

/** A form that calls an operation with the rights of the user. */
export function TryCall({ operation }: { readonly operation: Operation }) {
  const data = useData()
  const [values, setValues] = useState<Values>({})
  const [answer, setAnswer] = useState<string>()
  const { operationId, parameters = [] } = operation
  if (isStream(operation)) {
    return (
      <p class="quiet">
        A stream: <code>curl -N {location.origin + data.links.base + callUrl(operation, {})}</code>
      </p>
    )
  }
  const call = async (): Promise<void> => {
    setAnswer('…')
    setAnswer(await answerTo(data, operation, values).catch(String))
  }
  const names = parameters.filter((one) => one.in !== 'header').map(({ name }) => name)
  return (
    <form
      class="try-call"
      aria-label={`Call ${operationId}`}
      onSubmit={(event) => {
        event.preventDefault()
        void call()
      }}
    >
      {[...names, ...(hasBody(operation) ? ['body'] : [])].map((name) => (
        <Field
          key={name}
          name={name}
          value={values[name] ?? ''}
          onChange={(text) => setValues({ ...values, [name]: text })}
        />
      ))}
      <div>
        <Button type="submit" onPress={() => undefined}>
          Call
        </Button>
      </div>
      {answer !== undefined && (
        <textarea class="try-call-answer" aria-label="Answer" readOnly value={answer} rows={12} />
      )}
    </form>
  )
}

interface FieldProps {
  readonly name: string
  readonly value: string
  readonly onChange: (text: string) => void
}

function Field({ name, value, onChange }: FieldProps) {
  return (
    <label>
      {name}
      {name === 'body' ? (
        <textarea
          rows={4}
          spellcheck={false}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <input spellcheck={false} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
    </label>
  )
}

const hasBody = (operation: Operation): boolean => bodyOf(operation.requestBody) !== undefined

const isStream = ({ responses }: Operation): boolean =>
  Object.values(responses).some((one) => bodyOf(one)?.type === 'text/event-stream')

/** Status and body of the answer to a call. @throws CallFailure when the service is not reached */
async function answerTo({ send, links }: PageData, operation: Operation, values: Values): Promise<string> {
  const url = new URL(links.base + callUrl(operation, values), location.href)
  const body = values['body'] ?? ''
  const response = await send(
    new Request(url, {
      method: operation.method,
      ...(hasBody(operation) && body !== '' && { body, headers: { 'content-type': 'application/json' } }),
    }),
  )
  return `${response.status}\n${pretty(await response.text())}`
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, shownMax)
  } catch {
    return text.slice(0, shownMax)
  }
}
