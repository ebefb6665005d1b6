// What Millrace needs of the machine that it is started on. Plain JavaScript, because it runs on any Node.
const [major, minor] = process.versions.node.split('.').map(Number)

export const isNewEnough = major > 22 || (major === 22 && minor >= 19)
export const tooOld = `Millrace needs Node 22.19 or newer, and this is Node ${process.versions.node}`

/** Ends the process with one line that says what is needed. */
export function refuse(why) {
  console.error(`millrace: ${why}`)
  process.exit(1)
}

export function refuseWindows() {
  if (process.platform === 'win32') refuse('Millrace does not run on Windows: use WSL')
}
