import { loadSystemCalls } from '#lib/executors/shell/system-calls.ts'

/**
 * Ends this process now. Node's own exit waits for every thread of its pool, and one may wait forever: for the other
 * end of a FIFO, or for a disk that does not answer.
 */
export function endProcess(code: number): never {
  process.exitCode = code
  process.emit('exit', code)
  loadSystemCalls()?.exit(code)
  // Without that call of the system, the exit code is lost where Node would wait.
  if (process.getActiveResourcesInfo().some((name) => poolWork.test(name)))
    process.kill(process.pid, 'SIGKILL')
  return process.exit(code)
}

/** Names of requests that a thread of the pool may be working on. */
const poolWork = /^(FSReq|GetAddrInfo|GetNameInfo|.*Job)/
