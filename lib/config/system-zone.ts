/** What Node 26 and newer have. */
interface WithTemporal {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } }
}

/**
 * The time zone of this machine, an IANA name; UTC if `TZ` is empty or unknown. Asks Temporal if there is one, because
 * the first `Intl.DateTimeFormat` of a process takes 10 ms, and every start would wait for it.
 */
export function systemZone(): string {
  const { Temporal } = globalThis as WithTemporal
  const zone: string | undefined =
    Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === undefined || zone === 'Etc/Unknown' ? 'UTC' : zone
}
