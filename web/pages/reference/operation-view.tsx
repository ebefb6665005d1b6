import { useState } from 'preact/hooks'
import {
  bodyOf,
  schemaLines,
  typeOf,
  type OpenApi,
  type Operation,
  type Schema,
} from '../../model/operations.ts'
import { TryCall } from './try-call.tsx'

interface Props {
  readonly operation: Operation
  readonly document: OpenApi
  readonly isOpen: boolean
}

/** An operation in one line, with its request and responses when open. */
export function OperationView({ operation, document, isOpen: isOpenFirst }: Props) {
  const [isOpen, setOpen] = useState(isOpenFirst)
  const { operationId, method, path, summary } = operation
  return (
    <details
      id={operationId}
      class="operation-view"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <code class="operation-view-method">{method}</code> <code>{path}</code>{' '}
        <span class="quiet">{summary}</span>
      </summary>
      {isOpen && <Inside operation={operation} document={document} />}
    </details>
  )
}

function Inside({ operation, document }: Omit<Props, 'isOpen'>) {
  const { operationId, description, responses } = operation
  const body = bodyOf(operation.requestBody)
  return (
    <div class="operation-view-inside">
      <p class="quiet">
        <a href={`#${operationId}`}>{operationId}</a> · needs the right to {operation['x-access'] ?? 'read'}
      </p>
      {description !== undefined && <p>{description}</p>}
      <Parameters operation={operation} />
      {body !== undefined && (
        <Fields title={`Body (${body.type})`} schema={body.schema} document={document} />
      )}
      {Object.entries(responses).map(([status, response]) => {
        const answer = bodyOf(response)
        const isGood = status.startsWith('2')
        return isGood && answer !== undefined ? (
          <Fields
            key={status}
            title={`${status} (${answer.type})`}
            schema={answer.schema}
            document={document}
          />
        ) : (
          <p key={status}>
            <b>{status}</b> {response.description}
          </p>
        )
      })}
      <TryCall operation={operation} />
    </div>
  )
}

function Parameters({ operation }: Pick<Props, 'operation'>) {
  const { parameters = [] } = operation
  if (parameters.length === 0) return null
  return (
    <table aria-label="Parameters" class="operation-view-table">
      <tbody>
        {parameters.map(({ name, in: where, required, schema, description }) => (
          <tr key={`${where} ${name}`}>
            <th scope="row">
              <code>{name}</code>
              {required && ' (required)'}
            </th>
            <td class="quiet">{where}</td>
            <td>{typeOf(schema)}</td>
            <td>{description ?? schema.description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface FieldsProps {
  readonly title: string
  readonly schema: Schema
  readonly document: OpenApi
}

function Fields({ title, schema, document }: FieldsProps) {
  const lines = schemaLines(schema, document)
  return (
    <table aria-label={title} class="operation-view-table">
      <caption>
        {title} {lines.length === 0 && typeOf(schema)}
      </caption>
      <tbody>
        {lines.map(({ depth, name, type, isRequired, about }, index) => (
          <tr key={index}>
            <th scope="row">
              <span class="quiet">{'· '.repeat(depth)}</span>
              <code>{name}</code>
              {isRequired && ' (always)'}
            </th>
            <td>{type}</td>
            <td>{about}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
