import { isJson } from '#lib/definition/values/json-scan.ts'

/** A body that is longer, or whose indentation would be, stays as it was sent. */
const indentedLengthMax = 1_048_576

/** An answer with its body. */
export interface WholeAnswer {
  readonly statusCode: number
  readonly headers: readonly (readonly [string, readonly string[]])[]
  readonly body: string
}

/** An answer as one JSON object. A body that is JSON becomes part of it; any other is a text. */
export function answerAsJson({ statusCode, headers, body }: WholeAnswer): string {
  const head = { status_code: statusCode, headers: Object.fromEntries(headers) }
  const isText = !isJson(body)
  if (isText || isIndentable(body)) {
    const value: unknown = isText ? body : JSON.parse(body)
    return `${JSON.stringify({ ...head, body: value }, null, 1)}\n`
  }
  return `${JSON.stringify(head, null, 1).slice(0, -'\n}'.length)},\n "body": ${body.trim()}\n}\n`
}

/** Each level indents all of its values: a megabyte of brackets would become gigabytes of blanks. */
function isIndentable(json: string): boolean {
  if (json.length > indentedLengthMax) return false
  let depth = 0
  let added = 0
  let isText = false
  for (const [mark] of json.matchAll(/\\.|["[{\]},]/g)) {
    if (mark === '"') isText = !isText
    if (isText || mark === '"' || mark.startsWith('\\')) continue
    if (mark === '[' || mark === '{') depth += 1
    else if (mark !== ',') depth -= 1
    added += depth + 1
    if (added > indentedLengthMax) return false
  }
  return true
}
