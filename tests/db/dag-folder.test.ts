import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { forgetFolder } from '#lib/dag-folder/folder-holder.ts'
import { FolderSync } from '#lib/dag-folder/sync-folder.ts'
import { createDag } from '#lib/dags/create-dag.ts'
import { listFileFaults } from '#lib/dags/owning-files.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { testDatabase } from '#tests/support/database.ts'

const { db } = await testDatabase()
let folder = ''
const lines: string[] = []
const log = createLog({ level: 'info', part: 'tick' }, { write: (line) => void lines.push(line) })
const parts = { db, log, defaults: { zone: 'UTC' } }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-dags-'))
  lines.length = 0
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  for (const table of ['dag_folder', 'dag_file', 'dag', 'dag_version'])
    await db.sql.unsafe(`delete from millrace.${table}`)
})

const textOf = (word: string): string => `steps:\n  - echo ${word}\n`
function put(path: string, word = 'one'): void {
  writeFileSync(join(folder, path), textOf(word))
}

/** Makes passes until the changes have settled. */
async function settle(sync: FolderSync): Promise<void> {
  while ((await sync.pass()) === 'changing') continue
}

/** The stored DAGs: name, last word of the text, version. */
async function stored(): Promise<string[]> {
  const rows = await db.sql<{ line: string }[]>`
    select d.file_name || ' ' || substring(f.spec from 'echo ([a-z]+)') || ' ' || d.version as line
    from millrace.dag d join millrace.definition f on f.hash = d.definition_hash order by 1`
  return rows.map(({ line }) => line)
}

const said = (event: string): string[] => lines.filter((line) => line.includes(`"event":"${event}"`))

test('files are stored once, updated when they change, and removed when they are deleted', async () => {
  mkdirSync(join(folder, 'team'))
  put('a.yaml')
  put('team/b.yaml')
  const sync = new FolderSync(parts, folder)
  await sync.pass()
  expect(await stored()).toEqual(['a one 1', 'b one 1'])
  await new FolderSync(parts, folder).pass()
  put('a.yaml', 'two')
  expect(await sync.pass()).toBe('changing')
  expect(await stored()).toEqual(['a one 1', 'b one 1'])
  expect(await sync.pass()).toBe('done')
  expect(await stored()).toEqual(['a two 2', 'b one 1'])
  renameSync(join(folder, 'team/b.yaml'), join(folder, 'b.yml'))
  rmSync(join(folder, 'a.yaml'))
  await settle(sync)
  expect(await stored()).toEqual(['b one 1'])
  expect(said('dag.removed').join()).toMatch(/"fileName":"a","path":"a.yaml"/)
})

test('a file deleted between two processes is removed, and an unchanged text is not stored again', async () => {
  put('a.yaml')
  put('b.yaml')
  const first = new FolderSync(parts, folder)
  await first.pass()
  await first.release()
  rmSync(join(folder, 'a.yaml'))
  await new FolderSync(parts, folder).pass()
  expect(await stored()).toEqual(['b one 1'])
})

test('a link to a file outside the folder shows nothing of that file', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'millrace-outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  writeFileSync(join(outside, 'secret.yaml'), 'steps: [hidden-line, {{]\n')
  symlinkSync(join(outside, 'secret.yaml'), join(folder, 'out.yaml'))
  // Volumes of Kubernetes have such links.
  mkdirSync(join(folder, '..data'))
  put('..data/inside.yaml')
  symlinkSync('..data/inside.yaml', join(folder, 'inside.yaml'))
  await new FolderSync(parts, folder).pass()
  expect(await stored()).toEqual(['inside one 1'])
  expect(await listFileFaults(db)).toEqual([
    expect.objectContaining({
      path: 'out.yaml',
      fault: expect.stringMatching(/out\.yaml is a link out of the folder of DAGs$/),
    }),
  ])
})

test('only one of two processes reads the folder, and the other takes over when it is gone', async () => {
  const other = mkdtempSync(join(tmpdir(), 'millrace-dags-'))
  writeFileSync(join(other, 'theirs.yaml'), textOf('theirs'))
  put('mine.yaml')
  const [mine, theirs] = [new FolderSync(parts, folder), new FolderSync(parts, other)]
  expect([await mine.pass(), await theirs.pass(), await mine.pass()]).toEqual([
    'done',
    'held by another',
    'done',
  ])
  expect(await stored()).toEqual(['mine one 1'])
  await db.sql`update millrace.dag_folder set held_until = clock_timestamp()`
  expect([await theirs.pass(), await mine.pass()]).toEqual(['done', 'held by another'])
  expect(await stored()).toEqual(['theirs theirs 1'])
  rmSync(other, { recursive: true })
})

test('valid files are stored whatever else is in the folder, and faults are listed', async () => {
  execFileSync('mkfifo', [join(folder, 'fifo.yaml')])
  symlinkSync('loop.yaml', join(folder, 'loop.yaml'))
  symlinkSync('/dev/zero', join(folder, 'device.yaml'))
  writeFileSync(join(folder, 'large.yaml'), '')
  truncateSync(join(folder, 'large.yaml'), 2 ** 30)
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.yaml')]), '')
  writeFileSync(join(folder, 'odd name\n.yaml'), '')
  writeFileSync(join(folder, 'broken.yaml'), 'steps: [')
  mkdirSync(join(folder, 'twin'))
  put('same.yaml')
  put('twin/same.yaml')
  put('sound.yaml')
  await new FolderSync(parts, folder).pass()
  expect(await stored()).toEqual(['sound one 1'])
  const faults = new Map((await listFileFaults(db)).map(({ path, fault }) => [path, fault]))
  expect(Object.fromEntries(faults)).toEqual({
    'fifo.yaml': expect.stringContaining('is a FIFO') as string,
    'loop.yaml': expect.stringContaining('is a link that leads to itself') as string,
    'device.yaml': expect.stringContaining('is a link out of the folder of DAGs') as string,
    'large.yaml': expect.stringContaining(`is larger than ${limits.specBytesMax} bytes`) as string,
    'odd name\n.yaml': expect.stringContaining('the name of a DAG file') as string,
    '\u{FFFD}.yaml': expect.stringContaining('the name of a DAG file') as string,
    'broken.yaml': expect.stringMatching(/./) as string,
    'same.yaml': expect.stringContaining('twin/same.yaml') as string,
    'twin/same.yaml': expect.stringContaining('same name as same.yaml') as string,
  })
  expect(said('dag.rejected')).toHaveLength(faults.size)
})

test('a file with faults keeps the stored DAG, and is stored when it is corrected', async () => {
  put('a.yaml')
  const sync = new FolderSync(parts, folder)
  await sync.pass()
  writeFileSync(join(folder, 'a.yaml'), 'steps: [')
  await settle(sync)
  expect(await stored()).toEqual(['a one 1'])
  mkdirSync(join(folder, 'x'))
  put('a.yaml', 'two')
  put('x/a.yaml', 'three')
  await settle(sync)
  expect(await stored()).toEqual(['a one 1'])
  rmSync(join(folder, 'x/a.yaml'))
  await settle(sync)
  expect([await stored(), await listFileFaults(db)]).toEqual([['a two 2'], []])
})

test('a folder that became empty removes nothing, and a missing folder is an error', async () => {
  put('a.yaml')
  const sync = new FolderSync(parts, folder)
  await sync.pass()
  rmSync(join(folder, 'a.yaml'))
  await settle(sync)
  expect(await stored()).toEqual(['a one 1'])
  rmSync(folder, { recursive: true })
  await expect(sync.pass()).rejects.toThrow('ENOENT')
  mkdirSync(folder)
})

test('files are read again when the base configuration changes, since refused ones may be valid now', async () => {
  const base = 'steps: [\n'
  put('a.yaml')
  const sync = new FolderSync({ ...parts, defaults: { zone: 'UTC', base } }, folder)
  await sync.pass()
  expect(await stored()).toEqual([])
  await db.call('apply_settings', { MILLRACE_BASE_CONFIG: null }, null, 'test')
  await sync.pass()
  expect(await stored()).toEqual(['a one 1'])
  await db.sql`delete from millrace.setting`
})

test('a folder is forgotten when no process holds it, but its DAGs stay', async () => {
  put('a.yaml')
  const sync = new FolderSync(parts, folder)
  await sync.pass()
  await forgetFolder(db)
  expect(await db.sql`select 1 from millrace.owning_file`).toHaveLength(1)
  await sync.release()
  await forgetFolder(db)
  expect(await db.sql`select 1 from millrace.dag_file`).toHaveLength(0)
  expect(await stored()).toEqual(['a one 1'])
})

test('files of a folder that was not read for a day own no DAGs', async () => {
  put('a.yaml')
  await new FolderSync(parts, folder).pass()
  await createDag(db, { fileName: 'other', zone: 'UTC' })
  const owned = async () => (await db.sql`select 1 from millrace.owning_file`).length
  expect(await owned()).toBe(1)
  await db.sql`update millrace.dag_folder set read_at = now() - interval '25 hours'`
  expect(await owned()).toBe(0)
})
