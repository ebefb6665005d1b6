// Runs a script with this Node, or with the one in node_modules when this one is too old. Passes signals and the exit
// code through.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { receiveEnvironment, splitEnvironment } from './hand-environment.mjs'
const folders = { win32: 'node-win', darwin: process.arch === 'arm64' ? 'node-bin-darwin' : 'node-darwin' }
const folder = `../node_modules/${folders[process.platform] ?? `node-${process.platform}`}-${process.arch}/bin/node`
const own = fileURLToPath(new URL(process.platform === 'win32' ? `${folder}.exe` : folder, import.meta.url))
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
const [major, minor] = process.versions.node.split('.').map(Number)
if (process.env.npm_lifecycle_event) {
  // npm exits on a signal and passes it only to its shell, so the child of `npm start` must notice that its parent is
  // gone.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 500).unref()
}
if (major > 22 || (major === 22 && minor >= 18)) {
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
  console.error(`Node ${process.versions.node} is older than 22.18 and ${own} is missing: run npm ci`)
  process.exit(1)
}
