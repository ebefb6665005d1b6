/** A deep copy in which maps are ordinary objects, whatever their keys are. */
export function ordinary(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]))
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  return typeof value === 'object' && value !== null ? ordinary(value) : value
}
