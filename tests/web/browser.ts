import { existsSync } from 'node:fs'

/** The path of a browser. Undefined: tests of the page are skipped. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

/** A name of this machine that browsers do not trust like a loopback name. */
export const madeUpHost = 'millrace.test'

/** The flags resolve no other host: a test fails if the page loads anything from elsewhere. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  `--host-resolver-rules=MAP ${madeUpHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
]
