/**
 * The lines of a spec that name the steps, counted from 1: by `name` in a list, or as a key of a map. Scans the text
 * once without parsing YAML, so names in other notations are not found.
 */
export function linesOfSteps(spec: string, steps: Iterable<string>): ReadonlyMap<string, number> {
  const wanted = new Set(steps)
  const named = new Map<string, number>()
  const keyed = new Map<string, number>()
  for (const [index, line] of spec.split('\n').entries()) {
    const { key, value } = readKey(line)
    if (key === 'name' && wanted.has(value) && !named.has(value)) named.set(value, index + 1)
    if (wanted.has(key) && !keyed.has(key)) keyed.set(key, index + 1)
  }
  return new Map([...keyed, ...named])
}

/** `- name: "build" # comment` → name, build. Reads only the first key of a map in braces. */
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
