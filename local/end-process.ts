import { loadSystemCalls } from '#lib/executors/shell/system-calls.ts'

/**
 * Ends this process now. Node's own exit waits for every thread of its pool, and a thread may be blocked forever, on a
 * FIFO without a peer or a disk that hangs.
 */
export function endProcess(code: number): never {
  process.exitCode = code
  process.emit('exit', code)
  loadSystemCalls()?.exit(code)
  // Without the system call, the only way past a blocked thread is SIGKILL, which loses the exit code.
  if (process.getActiveResourcesInfo().some((name) => poolWork.test(name)))
    process.kill(process.pid, 'SIGKILL')
  return process.exit(code)
}

/** Names of requests that a thread of the pool may be working on. */
const poolWork = /^(FSReq|GetAddrInfo|GetNameInfo|.*Job)/
