export type Argument = string | number | bigint | boolean | null | object

/** A statement that calls a function of the schema `millrace`, with its values. The result column is named `result`. */
export function functionCall(
  name: string,
  args: readonly Argument[],
): { readonly text: string; readonly values: (string | number | boolean | null)[] } {
  const indices = args.map((arg, index) => `$${index + 1}${castOf(arg)}`).join(', ')
  return { text: `select millrace.${name}(${indices}) as result`, values: args.map(wireOf) }
}

/**
 * JSON is sent as text and cast by the server, because the driver would encode a string for a jsonb parameter twice.
 */
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
 * JSON that jsonb accepts: NUL characters are removed and unpaired surrogates replaced. Outputs and params of runs may
 * contain both, and a rejected statement would fail the records of all runs of the runner.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return json.replaceAll(/\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g, (escape) => {
    if (escape === '\\u0000') return ''
    return escape.startsWith('\\ud') ? '\ufffd' : escape
  })
}
