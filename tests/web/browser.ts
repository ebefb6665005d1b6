import { existsSync } from 'node:fs'

/** Where a browser lies; undefined: tests of the page are skipped. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

/** A name of this machine that no browser trusts as it trusts a loopback name. */
export const madeUpHost = 'millrace.test'

/** Nothing is loaded from elsewhere, or a test fails. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  `--host-resolver-rules=MAP ${madeUpHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
]
