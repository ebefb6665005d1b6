import type { Ask } from './call.ts'

export type KeptPreferences = Readonly<Record<string, unknown>>

const key = 'millrace.preferences'

interface Reader {
  readonly ask: Ask
  /** Without signing in there is no user. */
  readonly isSignedIn: boolean
}

interface Kept {
  /** With the service, for a user; false: in this browser. */
  readonly kept: boolean
  readonly preferences: KeptPreferences
}

/** The stored preferences. */
export const readKept = async (reader: Reader): Promise<KeptPreferences> =>
  (await readBoth(reader)).preferences

async function readBoth({ ask, isSignedIn }: Reader): Promise<Kept> {
  if (!isSignedIn) return readOwn()
  const answer = await ask('getPreferences')
  return answer.kept ? answer : readOwn()
}

/**
 * Changes them. They are read again before, as another browser may have changed them.
 * @throws CallFailure when there are too many
 */
export async function changeKept(
  reader: Reader,
  change: (before: KeptPreferences) => KeptPreferences,
): Promise<KeptPreferences> {
  const { kept, preferences } = await readBoth(reader)
  const next = change(preferences)
  if (kept) await reader.ask('updatePreferences', { body: next })
  else localStorage.setItem(key, JSON.stringify(next))
  return next
}

/** Without valid stored preferences, there are none. */
function readOwn(): Kept {
  try {
    const preferences = Object(JSON.parse(localStorage.getItem(key) ?? '{}')) as KeptPreferences
    return { kept: false, preferences }
  } catch {
    return { kept: false, preferences: {} }
  }
}
