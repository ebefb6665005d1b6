import type { Ask } from './call.ts'

export type KeptPreferences = Readonly<Record<string, unknown>>

const key = 'millrace.preferences'

/** What somebody has chosen: kept with the service for users, and in this browser for everybody else. */
export async function readKept(ask: Ask): Promise<KeptPreferences> {
  const { kept, preferences } = await ask('getPreferences')
  return kept ? preferences : readOwn()
}

/**
 * Changes them. They are read again before, as another browser may have changed them.
 * @throws CallFailure when there are too many
 */
export async function changeKept(
  ask: Ask,
  change: (before: KeptPreferences) => KeptPreferences,
): Promise<KeptPreferences> {
  const { kept, preferences } = await ask('getPreferences')
  const next = change(kept ? preferences : readOwn())
  if (kept) await ask('updatePreferences', { body: next })
  else localStorage.setItem(key, JSON.stringify(next))
  return next
}

/** Where a browser keeps nothing, or something else, there are none. */
function readOwn(): KeptPreferences {
  try {
    return Object(JSON.parse(localStorage.getItem(key) ?? '{}')) as KeptPreferences
  } catch {
    return {}
  }
}
