// Relaunches with the Node from the dependencies when this one is too old. Passes signals and the exit code through.
// Plain JavaScript, because it runs on any Node.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { receiveEnvironment, splitEnvironment } from './hand-environment.mjs'
import { isNewEnough, refuse, refuseWindows, tooOld } from './needs-node.mjs'

/**
 * Returns true if this process should continue. Otherwise it has started a newer Node with the same arguments, or exits
 * with an error.
 * @param repair how to get a newer Node, for the error message
 */
export function isNodeToGoOn(repair) {
  refuseWindows()
  endWithNpm()
  if (isNewEnough) {
    receive()
    return true
  }
  const own = nodeOfDependencies()
  if (own === undefined || !existsSync(own)) refuse(`${tooOld}; ${repair}`)
  launch(own)
  return false
}

/** npm exits on a signal and passes it only to its shell, so the child of `npm start` must notice that. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 500).unref()
}

function receive() {
  const end = () => process.kill(process.pid, 'SIGTERM') // the launcher has ended, for whatever reason
  receiveEnvironment()
  if (process.env.MILLRACE_LAUNCHED) new Socket({ fd: 3 }).on('close', end).resume().unref()
  delete process.env.MILLRACE_LAUNCHED
}

function nodeOfDependencies() {
  const system = process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-darwin' : process.platform
  try {
    const manifest = `node-${system}-${process.arch}/package.json`
    return join(dirname(createRequire(import.meta.url).resolve(manifest)), 'bin/node')
  } catch {
    return undefined
  }
}

function launch(own) {
  const { shown: env, line } = splitEnvironment({ ...process.env, MILLRACE_LAUNCHED: 'yes' }, 3)
  const limits = process.execArgv.filter((flag) => flag.startsWith('--max-')) // the newer Node may not know other flags
  const child = spawn(own, [...limits, ...process.argv.slice(1)], {
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  child.on('error', (error) => refuse(`${own} does not start: ${error.message}`))
  child.stdio[3].on('error', () => {}).write(line) // left open: its end tells the script that this process has ended
  try {
    if (process.platform === 'linux') blankEnvironment()
  } catch {
    // Where /proc is not writable, the service detects and reports the exposed variables.
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === 'SIGINT' ? 2 : 15)))
}

/** Blanks /proc/PID/environ of this process, which needs no variables once the script has started. */
function blankEnvironment() {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const [start, end] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(47, 49)
    .map(Number) // fields 50, 51
  const memory = openSync('/proc/self/mem', 'r+')
  writeSync(memory, Buffer.alloc(end - start), 0, end - start, start)
  closeSync(memory)
}
