import { scanFolder } from '#lib/dag-folder/scan-folder.ts'
import { readerOfFolder } from '#lib/dag-folder/folder-holder.ts'
import { messageOf } from '#lib/core/errors.ts'
import { listFileFaults } from '#lib/dags/owning-files.ts'
import { fail, ok, warn, type Check, type ServiceView } from './check.ts'

const readMsMax = 60_000
const shownMax = 5

/** Checks the DAG folder: whether it can be read here, and what the process that reads it found. */
export const dagFolderCheck: Check<ServiceView> = {
  name: 'DAG folder',
  async find({ db, config: { dagsDir } }) {
    try {
      if (dagsDir !== undefined) await scanFolder(dagsDir)
    } catch (error) {
      return fail(`${dagsDir} cannot be read here: ${messageOf(error)}`, 'correct MILLRACE_DAGS_DIR')
    }
    const reader = await readerOfFolder(db)
    if (reader === undefined && dagsDir === undefined) return ok('none: DAGs are only in the database')
    if (reader === undefined || reader.agoMs > readMsMax) {
      const when = reader === undefined ? 'never' : `${Math.round(reader.agoMs / 1000)} s ago`
      const advice = 'set MILLRACE_DAGS_DIR where millrace up or millrace tick --watch runs'
      return warn(`it was last read ${when}`, advice)
    }
    const text = `${reader.folder} is read by ${reader.holder}, the last time ${Math.round(reader.agoMs / 1000)} s ago`
    const faults = await listFileFaults(db)
    if (faults.length === 0) return ok(text)
    const some = faults.slice(0, shownMax).map(({ path, fault }) => `${path}: ${fault}`)
    return warn(`${text}; files with errors: ${faults.length}: ${some.join('; ')}`, 'correct the files')
  },
}
