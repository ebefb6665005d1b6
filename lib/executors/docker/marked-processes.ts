import { readFile } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import type Dockerode from 'dockerode'
import type { Engine } from './client.ts'
import { patienceMs, type Container } from './container.ts'

/** Marks the processes of an attempt inside a container that others use too. */
export const markName = 'DAG_EXEC_MARK'

/**
 * Signals every process whose environment contains the mark. Uses shell built-ins only, because an image may contain no
 * other program. SIGKILL is repeated, in case a process was started while the list was made.
 */
const script = `
for round in 1 2 3 4 5; do
  found=
  for folder in /proc/[0-9]*; do
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in
        *"$1"*) kill -s "$2" "\${folder#/proc/}" && found=1; break ;;
      esac
    done <"$folder/environ"
  done
  if [ "$2" != KILL ] || [ -z "$found" ]; then break; fi
done 2>/dev/null
exit 0
`

export interface Marked {
  readonly mark: string
  /** The user of the processes; another user may not read their environment. */
  readonly user?: string
}

/**
 * Sends a signal to the marked processes in a container.
 * @returns false when that is impossible from inside: there is no shell, or the engine does not answer
 */
export async function signalMarked(
  container: Container,
  { mark, user }: Marked,
  signal: string,
): Promise<boolean> {
  try {
    const abortSignal = AbortSignal.timeout(patienceMs)
    const exec = await container.exec({
      Cmd: ['sh', '-c', script, 'sh', `${markName}=${mark}`, bareSignal(signal)],
      AttachStdout: true,
      ...(user !== undefined && { User: user }),
      abortSignal,
    })
    const stream = await exec.start({ hijack: true, stdin: false, abortSignal })
    abortSignal.addEventListener('abort', () => stream.destroy(), { once: true })
    await finished(stream.resume())
    return (await exec.inspect({ abortSignal })).ExitCode === 0
  } catch {
    return false
  }
}

/**
 * Sends a signal to the process of an exec by its pid on this machine, if the engine is local: the way to reach a
 * process in an image without a shell. The pid is used only while it belongs to the container.
 */
export async function signalFromOutside(
  engine: Engine,
  container: Container,
  exec: Dockerode.Exec,
  signal: string,
): Promise<void> {
  if (engine.socketPath === undefined || process.platform !== 'linux') return
  try {
    const { Pid: pid } = await exec.inspect({ abortSignal: AbortSignal.timeout(patienceMs) })
    const { Id: id } = await container.inspect({ abortSignal: AbortSignal.timeout(patienceMs) })
    const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8')
    if (pid > 1 && groups.includes(id)) process.kill(pid, `SIG${bareSignal(signal)}`)
  } catch {
    // It has ended, or belongs to somebody else; then the step reports that it cannot be ended.
  }
}

/** The signal name as `kill -s` expects it. */
function bareSignal(signal: string): string {
  const bare = signal.toUpperCase().replace(/^SIG/, '')
  return /^[A-Z0-9+-]{1,12}$/.test(bare) ? bare : 'TERM'
}
