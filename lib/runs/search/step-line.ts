/**
 * The line of a spec where a step is named, counted from 1: by `name` in a list, or as a key of a map. Looks at the
 * text alone, so a name that YAML writes in another way has none.
 */
export function stepLine(spec: string, step: string): number | undefined {
  const lines = spec.split('\n').map(readKey)
  const index =
    lines.findIndex(({ key, value }) => key === 'name' && value === step) + 1 ||
    lines.findIndex(({ key }) => key === step) + 1
  return index === 0 ? undefined : index
}

/** `- name: "build" # words` → name, build. Of a map in braces only the first key is seen. */
function readKey(line: string): { readonly key: string; readonly value: string } {
  const text = line
    .trim()
    .replace(/^-\s+/, '')
    .replace(/^\{\s*/, '')
  const colon = text.indexOf(':')
  if (colon < 0) return { key: '', value: '' }
  const value = text.slice(colon + 1)
  return { key: unquoted(text.slice(0, colon)), value: unquoted(value.split(/ #|[,}]/, 1)[0] ?? '') }
}

function unquoted(text: string): string {
  const bare = text.trim()
  const quote = bare[0]
  return (quote === '"' || quote === "'") && bare.endsWith(quote) ? bare.slice(1, -1) : bare
}
