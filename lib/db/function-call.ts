export type Argument = string | number | bigint | boolean | null | object

/** A statement that calls a function of the schema `millrace`, and its values; the column is called `result`. */
export function functionCall(
  name: string,
  args: readonly Argument[],
): { readonly text: string; readonly values: (string | number | boolean | null)[] } {
  const indices = args.map((arg, index) => `$${index + 1}${castOf(arg)}`).join(', ')
  return { text: `select millrace.${name}(${indices}) as result`, values: args.map(wireOf) }
}

/** The driver would encode a text for a jsonb parameter twice, so JSON is sent as text and cast by the server. */
function castOf(arg: Argument): string {
  if (arg === null) return ''
  if (typeof arg === 'object') return '::text::jsonb'
  if (typeof arg === 'boolean') return '::boolean'
  if (typeof arg === 'bigint') return '::bigint'
  return typeof arg === 'number' ? '::int' : '::text'
}

function wireOf(arg: Argument): string | number | boolean | null {
  if (typeof arg === 'object' && arg !== null) return storableJson(arg)
  return typeof arg === 'bigint' ? String(arg) : arg
}

/**
 * JSON as jsonb takes it: NUL characters are left out and halves of surrogate pairs replaced. Both reach us from
 * outputs and params of runs; a refused statement would cut the runner off from all its runs.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return json.replaceAll(/\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g, (escape) => {
    if (escape === '\\u0000') return ''
    return escape.startsWith('\\ud') ? '\ufffd' : escape
  })
}
