// Runs a script with this Node, or with the one in node_modules when this one is too old. Passes signals and the exit
// code through.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { receiveEnvironment, splitEnvironment } from './hand-environment.mjs'
import { isNewEnough, refuse, refuseWindows, tooOld } from './needs-node.mjs'
refuseWindows()
const system = process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-darwin' : process.platform
const own = fileURLToPath(new URL(`../node_modules/node-${system}-${process.arch}/bin/node`, import.meta.url))
/** Blanks what /proc/PID/environ shows of this process, which needs nothing of it once the script is started. */
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
if (process.env.npm_lifecycle_event) {
  // npm exits on a signal and passes it only to its shell, so the child of `npm start` must notice that its parent is
  // gone.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 500).unref()
}
if (isNewEnough) {
  const end = () => process.kill(process.pid, 'SIGTERM') // the launcher has ended, however it did
  receiveEnvironment()
  if (process.env.MILLRACE_LAUNCHED) new Socket({ fd: 3 }).on('close', end).resume().unref()
  delete process.env.MILLRACE_LAUNCHED
  process.argv.splice(1, 2, resolve(process.argv[2] ?? ''))
  await import(pathToFileURL(process.argv[1]))
} else if (existsSync(own)) {
  const { shown: env, line } = splitEnvironment({ ...process.env, MILLRACE_LAUNCHED: 'yes' }, 3)
  const limits = process.execArgv.filter((flag) => flag.startsWith('--max-')) // others may be unknown to the other Node
  const child = spawn(own, [...limits, ...process.argv.slice(1)], {
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  child.stdio[3].on('error', () => {}).write(line) // left open: its end tells the script that this process has ended
  try {
    if (process.platform === 'linux') blankEnvironment()
  } catch {
    // Where /proc is not writable, the service finds what this process shows, and says so.
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === 'SIGINT' ? 2 : 15)))
} else {
  refuse(`${tooOld}; npm ci brings a newer one, but ${own} is missing`)
}
