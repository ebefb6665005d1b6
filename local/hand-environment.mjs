// Hands an environment from one of our processes to the next without `/proc` showing it: what a process is started with
// can be read by every process of its user. Plain JavaScript, because the launcher runs on any Node.
import { readSync } from 'node:fs'

/** What programs, loaders and Node itself look for when they start. Everything else goes through the pipe. */
const names = 'PATH HOME USER LOGNAME SHELL TERM TMPDIR TZ LANG LANGUAGE OPENSSL_CONF NO_COLOR FORCE_COLOR'
const neededAtStart = new RegExp(
  `^(${names.replaceAll(' ', '|')}|MILLRACE_DATA_DIR|(LC|LD|NODE|UV|MALLOC|SSL_CERT)_\\w+)$`,
)
const notice = 'MILLRACE_ENVIRONMENT_FD'

/**
 * Splits an environment into what the new process is started with, and a line to write to a pipe that is its descriptor
 * `fd`. Elsewhere than on Linux, nothing is held back.
 */
export function splitEnvironment(environment, fd) {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined)
  const isShown = ([name]) => process.platform !== 'linux' || neededAtStart.test(name)
  const held = given.filter((entry) => !isShown(entry)).map(([name, value]) => `${name}=${value}`)
  return {
    shown: { ...Object.fromEntries(given.filter(isShown)), [notice]: String(fd) },
    line: `${Buffer.from(held.join('\0')).toString('base64')}\n`,
  }
}

/** Reads what was held back, if anything was, into `process.env`. */
export function receiveEnvironment() {
  const fd = process.env[notice]
  if (fd === undefined) return
  delete process.env[notice]
  for (const text of Buffer.from(readLine(Number(fd)), 'base64')
    .toString('utf8')
    .split('\0')) {
    const at = text.indexOf('=')
    if (at > 0) process.env[text.slice(0, at)] = text.slice(at + 1)
  }
}

function readLine(fd) {
  const pieces = []
  const piece = Buffer.alloc(65_536)
  for (let count; !pieces.at(-1)?.includes('\n'); pieces.push(piece.toString('latin1', 0, count))) {
    count = readSync(fd, piece)
    if (count === 0) break
  }
  return pieces.join('').trim()
}
