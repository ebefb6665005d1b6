/** How many of the six connections that a browser opens to a service may be list streams. */
const slots = 3

/**
 * Runs a function while it holds one of the few slots that all tabs of the browser share. A page without TLS cannot see
 * the other tabs.
 * @returns whether a slot was free
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
