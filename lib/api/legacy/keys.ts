const renamed: Readonly<Record<string, string>> = {
  dag: 'DAG',
  dagRunId: 'RequestId',
  statusLabel: 'StatusText',
}

/** The same value with the keys of /api/v1: capitalized, and with `RequestId` for the id of a run. */
export function legacyKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(legacyKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      renamed[key] ?? key.charAt(0).toUpperCase() + key.slice(1),
      legacyKeys(inner),
    ]),
  )
}
