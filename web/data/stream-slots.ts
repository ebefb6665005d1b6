/** How many of the six connections of a browser to a service may be streams of lists. */
const slots = 3

/**
 * Works while it holds one of the few slots that all tabs of the browser share. A page without TLS cannot see
 * the other tabs.
 * @returns whether there was room
 */
export async function inSlot(work: () => Promise<void>): Promise<boolean> {
  const locks = (navigator as { locks?: LockManager }).locks
  if (locks === undefined) {
    await work()
    return true
  }
  for (let slot = 0; slot < slots; slot += 1) {
    const wasFree = await locks.request(`millrace.stream.${slot}`, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await work()
      return lock !== null
    })
    if (wasFree) return true
  }
  return false
}
