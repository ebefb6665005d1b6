/** Entries of a schedule as people read them: the time zone, where an entry names one, comes after it, once. */
export function scheduleText(schedule: readonly { readonly expression: string }[]): string {
  const entries = schedule.map(({ expression }) => {
    const [, zone = '', cron = expression] = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/.exec(expression) ?? []
    return { zone, cron }
  })
  return entries
    .map(({ zone, cron }, index) =>
      zone === '' || zone === entries[index + 1]?.zone ? cron : `${cron} ${zone}`,
    )
    .join(', ')
}
