// The requirements of Millrace on its machine. Plain JavaScript, because it runs on any Node.
const [major, minor] = process.versions.node.split('.').map(Number)

export const isNewEnough = major > 22 || (major === 22 && minor >= 19)
export const tooOld = `Millrace needs Node 22.19 or newer, and this is Node ${process.versions.node}`

/** Exits with code 1 and a one-line reason. */
export function refuse(why) {
  console.error(`millrace: ${why}`)
  process.exit(1)
}

export function refuseWindows() {
  if (process.platform === 'win32') refuse('Millrace does not run on Windows: use WSL')
}
