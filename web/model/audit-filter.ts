/** The filter of the audit log. Times are seconds since 1970. */
export interface AuditQuery {
  readonly actor?: string
  readonly action?: string
  readonly target?: string
  readonly from?: number
  readonly to?: number
}

/** Reads the filter from an address; unknown parts are ignored. */
export function readAuditFilter(address: Readonly<Record<string, string>>): AuditQuery {
  const text = (name: 'actor' | 'action' | 'target') => {
    const value = address[name]?.trim().slice(0, 200) ?? ''
    return value === '' ? {} : { [name]: value }
  }
  const time = (name: 'from' | 'to') =>
    /^\d{1,11}$/.test(address[name] ?? '') ? { [name]: Number(address[name]) } : {}
  return { ...text('actor'), ...text('action'), ...text('target'), ...time('from'), ...time('to') }
}

interface Change {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/** `role: viewer → editor`; an added field has only a value, and a removed one says so. */
export function changeText({ field, before, after }: Change): string {
  if (before === null) return `${field}: ${after ?? ''}`
  return after === null ? `${field}: ${before} (gone)` : `${field}: ${before} → ${after}`
}
