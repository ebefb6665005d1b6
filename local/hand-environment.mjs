// Passes an environment from one of our processes to the next without exposing it in `/proc`, where any process of the
// same user can read the initial environment. Plain JavaScript, because the launcher runs on any Node.
import { readSync } from 'node:fs'

/** Variables that programs, loaders and Node read at startup. Everything else goes through the pipe. */
const names = 'PATH HOME USER LOGNAME SHELL TERM TMPDIR TZ LANG LANGUAGE OPENSSL_CONF NO_COLOR FORCE_COLOR'
const neededAtStart = new RegExp(
  `^(${names.replaceAll(' ', '|')}|MILLRACE_DATA_DIR|(LC|LD|NODE|UV|MALLOC|SSL_CERT)_\\w+)$`,
)
const notice = 'MILLRACE_ENVIRONMENT_FD'

/**
 * Splits an environment into the variables to start the new process with (`shown`), and a line with the rest, to write
 * to the pipe that the process has as descriptor `fd`. Outside Linux, all variables are shown.
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

/** Reads the variables sent through the pipe, if any, into `process.env`. */
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
