/**
 * Makes a folder the source of the DAGs that are files in it. One process at a time holds the folder (a row with a
 * deadline, by the clock of the database), and only it stores and removes; the others wait to take it over. What it
 * finds is noted in `dag_file`: the DAGs that files own, which the API does not change, and the faults of files.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { currentDefaults } from '#lib/dags/current-defaults.ts'
import type { DagDefaults } from '#lib/dags/dag-columns.ts'
import { deleteDag } from '#lib/dags/delete-dag.ts'
import type { Database } from '#lib/db/client.ts'
import type { Log } from '#lib/telemetry/log.ts'
import { nameFiles } from './name-files.ts'
import { scanFolder, type Scan } from './scan-folder.ts'
import { storeFile } from './store-file.ts'

export interface FolderDeps {
  readonly db: Database
  readonly log: Log
  /** Used while the database has no applied defaults. */
  readonly defaults: DagDefaults
}

/** A row of `dag_file`: the DAG that a file owns, or its fault. */
interface Note {
  readonly path: string
  readonly fileName: string | null
  readonly fault: string | null
}

const faultLengthMax = 2_000

/** Result of a pass. */
interface Known {
  /** Change marks of files and unread folders, by path. */
  readonly marks: ReadonlyMap<string, string>
  readonly notes: ReadonlyMap<string, Note>
  readonly defaults: DagDefaults
}

/** Syncs one folder to the database; one instance per process. */
export class FolderSync {
  readonly #deps: FolderDeps
  readonly #folder: string
  readonly #holder = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`
  #known: Known | undefined
  /** Marks first seen at the previous pass; a change is applied once two passes agree. */
  #fresh: ReadonlyMap<string, string> | undefined

  constructor(deps: FolderDeps, folder: string) {
    this.#deps = deps
    this.#folder = folder
  }

  /**
   * Stores new and changed DAGs, and deletes those whose files are gone.
   * @returns `changing`: a file has changed, and may still be written, so nothing was done; never at the first pass
   * @throws Error when the folder cannot be read, or the database is unreachable
   */
  async pass(): Promise<'done' | 'changing' | 'held by another'> {
    const { db } = this.#deps
    if (!(await db.call<boolean>('lease_dag_folder', this.#holder, this.#folder, limits.dagFolderHeldMs))) {
      this.#known = undefined
      return 'held by another'
    }
    const scan = await scanFolder(this.#folder)
    const marks = marksOf(scan)
    const defaults = await currentDefaults(db, this.#deps.defaults)
    const known = this.#known?.defaults.base === defaults.base ? this.#known : undefined
    if (known !== undefined) {
      if (isSame(known.marks, marks)) return 'done'
      const isSettled = this.#fresh !== undefined && isSame(this.#fresh, marks)
      this.#fresh = marks
      if (!isSettled) return 'changing'
    }
    this.#known = { marks, defaults, notes: await this.#store(scan, { marks, defaults, known }) }
    return 'done'
  }

  /** Lets another process take the folder at once. */
  async release(): Promise<void> {
    await this.#deps.db.sql`
      update millrace.dag_folder set held_until = clock_timestamp() where holder = ${this.#holder}`
  }

  async #store(
    scan: Scan,
    { marks, defaults, known }: Pick<Known, 'marks' | 'defaults'> & { readonly known: Known | undefined },
  ): Promise<Known['notes']> {
    const { db, log } = this.#deps
    const noted = await db.sql<Note[]>`
      select path, file_name as "fileName", fault from millrace.dag_file order by path`
    const notes = new Map<string, Note>()
    const note = (path: string, fileName: string | null, fault: string | null): void =>
      void notes.set(path, { path, fileName, fault: fault?.slice(0, faultLengthMax) ?? null })
    for (const [path, why] of scan.unread) {
      const inside = path === '' ? '' : `${path}/`
      for (const other of noted) if (other.path.startsWith(inside)) notes.set(other.path, other)
      note(inside, null, `the folder was not read to its end: ${why}`)
    }
    for (const { path, fileName = null, fault } of nameFiles(scan.files)) {
      const last = known?.marks.get(path) === marks.get(path) ? known?.notes.get(path) : undefined
      if (fault !== undefined || fileName === null) note(path, fileName, fault ?? null)
      else if (last?.fault === null) notes.set(path, last)
      else {
        const stored = await storeFile(db, { folder: this.#folder, path, fileName }, defaults)
        if (stored.outcome === 'gone') continue
        if (stored.outcome === 'stored') log.info({ event: 'dag.loaded', fileName, path }, 'a DAG was loaded')
        note(path, fileName, stored.outcome === 'faulty' ? stored.fault : null)
      }
    }
    await this.#note([...notes.values()], noted)
    return notes
  }

  async #note(notes: readonly Note[], noted: readonly Note[]): Promise<void> {
    const { db, log } = this.#deps
    if (!(await db.call<boolean>('store_dag_files', this.#holder, notes))) return
    const faults = new Map(noted.map(({ path, fault }) => [path, fault]))
    for (const { path, fileName, fault } of notes) {
      if (fault !== null && fault !== faults.get(path))
        log.warn({ event: 'dag.rejected', path, fileName, why: fault }, `a DAG file is not stored: ${fault}`)
    }
    await this.#removeAllBut(new Set(notes.flatMap(({ fileName }) => fileName ?? [])), noted)
  }

  /** Deletes nothing when the folder has no files: it is more likely unmounted than emptied. */
  async #removeAllBut(left: ReadonlySet<string>, noted: readonly Note[]): Promise<void> {
    const { db, log } = this.#deps
    const gone = noted.flatMap(({ path, fileName }) =>
      fileName === null || left.has(fileName) ? [] : [{ path, fileName }],
    )
    if (left.size === 0 && gone.length > 0) {
      log.warn(
        { event: 'dag.rejected', folder: this.#folder, count: gone.length },
        'the folder of DAGs has no DAG file left: its DAGs stay, but no file owns them',
      )
      return
    }
    for (const { path, fileName } of gone) {
      await deleteDag(db, fileName, { source: 'folder' }).catch((error: unknown) => {
        if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
      })
      log.info({ event: 'dag.removed', fileName, path }, 'a DAG was removed, because its file is gone')
    }
  }
}

const marksOf = ({ files, unread }: Scan): ReadonlyMap<string, string> =>
  new Map([...unread, ...files.map(({ path, mark }): [string, string] => [path, mark])])

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([path, mark]) => other.get(path) === mark)
