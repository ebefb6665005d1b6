import { watch, type FSWatcher } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Parts as ServiceParts } from '#lib/app/compose.ts'
import { ServiceError } from '#lib/core/errors.ts'
import { fileNamePattern, reservedFileNames } from '#lib/core/ids.ts'
import { limits } from '#lib/core/limits.ts'
import { createDag } from '#lib/dags/create-dag.ts'
import { FileError } from '#lib/files/file-error.ts'
import { readSmallFile } from '#lib/files/read-small-file.ts'
import { deleteDag } from '#lib/dags/delete-dag.ts'
import { saveSpec } from '#lib/dags/save-spec.ts'
import { problemTexts } from '#lib/definition/read-spec.ts'
import type { Database } from '#lib/db/client.ts'
import type { Log } from '#lib/telemetry/log.ts'

/** What the folder needs of the service. */
type Parts = Pick<ServiceParts, 'db' | 'log' | 'defaults'>

const settleMs = 200
/** After a pass that failed: the database may have been away. */
const retryMs = 2_000

/** Puts the examples into a database that has never seen a DAG or a run. */
export async function loadExamples({ db, log, defaults }: Parts, folder: string): Promise<void> {
  const [row] = await db.sql<{ fresh: boolean }[]>`
    select not exists (select 1 from millrace.dag) and not exists (select 1 from millrace.dag_run) as fresh`
  if (row?.fresh !== true) return
  for (const [fileName, spec] of await readFolder(folder, log))
    if (spec !== undefined) await store({ db, log, defaults }, fileName, spec)
}

/**
 * Makes a folder the source of DAGs: what is in it is stored now and whenever a file changes; a DAG whose file is
 * removed while this runs is removed too. Files with faults are logged and leave the stored DAG as it is.
 */
export async function syncFolder(parts: Parts, folder: string): Promise<{ stop(): Promise<void> }> {
  const { db, log } = parts
  let stored: DagTexts = new Map()
  const pass = async (): Promise<void> => {
    const files = await readFolder(folder, log)
    for (const [fileName, spec] of files) {
      if (spec !== undefined && stored.get(fileName) !== spec) await store(parts, fileName, spec)
    }
    for (const gone of stored.keys()) if (!files.has(gone)) await remove(db, gone)
    stored = files
  }
  let work = pass()
  await work
  let timer: NodeJS.Timeout | undefined
  let watcher: FSWatcher | undefined
  let isTold = false
  const passIn = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      look()
      work = work.then(pass).catch((error: unknown) => {
        log.error({ event: 'dag.rejected', folder, error }, 'the folder of DAGs was not stored; trying again')
        unwatch()
        passIn(retryMs)
      })
    }, ms)
  }
  // A folder that was removed is watched no more, also when it is there again.
  const unwatch = (): void => {
    watcher?.close()
    watcher = undefined
  }
  const notWatched = (error: unknown): void => {
    if (!isTold)
      log.error({ event: 'dag.unwatched', folder, error }, 'the folder of DAGs is read every other second')
    isTold = true
    unwatch()
    passIn(retryMs)
  }
  const look = (): void => {
    if (watcher !== undefined) return
    try {
      watcher = watch(folder, () => passIn(settleMs)).on('error', notWatched)
      isTold = false
    } catch (error) {
      notWatched(error)
    }
  }
  look()
  return {
    async stop() {
      unwatch()
      clearTimeout(timer)
      await work
      clearTimeout(timer)
    },
  }
}

/** Base name → text; undefined: it is there, but cannot be read. */
type DagTexts = Map<string, string | undefined>

/** The YAML files at the top of a folder. */
async function readFolder(folder: string, log: Log): Promise<DagTexts> {
  const files: DagTexts = new Map()
  for (const name of (await readdir(folder)).toSorted()) {
    const extension = extname(name)
    if (extension !== '.yaml' && extension !== '.yml') continue
    const fileName = basename(name, extension)
    const fault = faultOfName(fileName)
    if (fault === undefined) files.set(fileName, readDag(join(folder, name), log))
    else log.warn({ event: 'dag.rejected', file: name }, fault)
  }
  return files
}

function faultOfName(fileName: string): string | undefined {
  if (!fileNamePattern.test(fileName)) return 'the name of a DAG file is made of a-z, 0-9, - and _'
  if (!reservedFileNames.includes(fileName)) return undefined
  return `the name of a DAG file must not be ${reservedFileNames.join(', ')}: these are words of the API`
}

/** @returns undefined, and a line of the log that says why, when it cannot be read */
function readDag(path: string, log: Log): string | undefined {
  try {
    return readSmallFile(path, { what: 'DAG file', bytesMax: limits.specBytesMax }).toString('utf8')
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    // Removed since the folder was read.
    if (error.code !== 'ENOENT')
      log.warn({ event: 'dag.rejected', file: path, why: error.message }, 'a DAG file cannot be read')
    return undefined
  }
}

async function store({ db, log, defaults }: Parts, fileName: string, spec: string): Promise<void> {
  try {
    await createDag(db, { ...defaults, fileName, spec }).catch(async (error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'already_exists') throw error
      const { problems } = await saveSpec(db, { ...defaults, fileName, spec, version: undefined })
      if (problems.length > 0) throw new ServiceError('bad_request', problemTexts(problems).join('; '))
    })
    log.info({ event: 'dag.loaded', fileName }, 'a DAG was loaded')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    log.warn(
      { event: 'dag.rejected', fileName, problems: error.details ?? error.message },
      'a DAG file has faults',
    )
  }
}

async function remove(db: Database, fileName: string): Promise<void> {
  await deleteDag(db, fileName).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
  })
}
