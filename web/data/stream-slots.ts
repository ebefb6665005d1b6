/** Of the six connections that a browser has for a service, so many may be streams of lists. */
const slots = 3

/**
 * Works while it holds one of the few places that all tabs of the browser share. A page without TLS knows nothing of
 * the other tabs.
 * @returns whether there was a place
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
