import { foreignFunctions } from './foreign-functions.ts'

const setDumpable = 4
const closeOnExec = 4
const firstDescriptor = 3

/**
 * Closes this process to others of the same user, as far as Linux can: they may read neither its memory nor its
 * environment nor its open files in `/proc` (prctl(2), PR_SET_DUMPABLE; no core dumps either), and its descriptors are
 * not inherited by the processes that it starts, whoever opened them. Hide the environment before: afterwards a process
 * without privileges cannot open its own `/proc/self/mem`. Does nothing where Node cannot call the C library.
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
