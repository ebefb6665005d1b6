import { foreignFunctions } from './foreign-functions.ts'

const setDumpable = 4
const closeOnExec = 4
const firstDescriptor = 3

/**
 * Protects this process from others of the same user, as far as Linux can: they cannot read its memory, environment or
 * open files in `/proc` (prctl(2), PR_SET_DUMPABLE; this also disables core dumps), and child processes inherit none of
 * its descriptors. Hide the environment first: afterwards an unprivileged process cannot open its own `/proc/self/mem`.
 * Does nothing where Node cannot call the C library.
 * @returns whether the process is sealed
 */
export function sealProcess(): boolean {
  try {
    const c = foreignFunctions()?.dlopen(null, {
      prctl: { arguments: ['int32', 'uint64', 'uint64', 'uint64', 'uint64'], return: 'int32' },
      close_range: { arguments: ['uint32', 'uint32', 'int32'], return: 'int32' },
    }).functions
    if (c === undefined) return false
    c.close_range(firstDescriptor, 0xffff_ffff, closeOnExec)
    return c.prctl(setDumpable, 0n, 0n, 0n, 0n) === 0
  } catch {
    return false
  }
}
