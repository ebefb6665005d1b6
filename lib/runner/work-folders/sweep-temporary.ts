import { readdirSync, lstatSync, type Stats } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '#lib/db/errors.ts'
import { removeStepFolder } from '#lib/executors/shell/step-folder.ts'
import { stepUser } from '#lib/privileges/step-identity.ts'

/** The name of a folder of a script or of the files of a run: the host, process and number of its runner. */
const ofRunner = /^(?:step|run)-(?<host>.+)-(?<pid>\d+)-[0-9a-f]{8}-\w{6}$/

/**
 * Removes the temporary folders of runners of this machine that were killed together with their wardens, such as by the
 * end of a container. A folder of another host may be here, too: containers can share a temporary folder.
 */
export async function sweepTemporaryFolders(): Promise<void> {
  const top = tmpdir()
  const uid = stepUser()?.uid ?? process.getuid?.()
  for (const name of readdirSync(top)) {
    const { host, pid } = ofRunner.exec(name)?.groups ?? {}
    if (host !== hostname()) continue
    const folder = join(top, name)
    const stats = lstatSync(folder, { throwIfNoEntry: false })
    if (stats?.isDirectory() !== true || stats.uid !== uid) continue
    if (isOfDead(Number(pid), stats)) await removeStepFolder(folder)
  }
}

function isOfDead(pid: number, { mtimeMs }: Stats): boolean {
  // In a container, processes get the same numbers again.
  if (pid === process.pid) return mtimeMs < performance.timeOrigin
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}
