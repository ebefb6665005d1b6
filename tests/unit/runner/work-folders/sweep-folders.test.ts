import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { noteFolder } from '#lib/runner/work-folders/note-folder.ts'
import { sweepFolders } from '#lib/runner/work-folders/sweep-folders.ts'

const top = mkdtempSync(join(tmpdir(), 'millrace-sweep-'))
afterAll(() => rmSync(top, { recursive: true }))
let count = 0

/** A folder of working folders, and how to make one of them as a run does, so many minutes ago. */
function workDir() {
  const path = join(top, `${count++}`, 'work')
  mkdirSync(path, { recursive: true })
  const folder = (name: string) => join(path, name)
  const use = (name: string) => {
    noteFolder(folder(name))
    mkdirSync(folder(name), { recursive: true })
  }
  const made = (name: string, minutes = 120) => {
    use(name)
    writeFileSync(join(folder(name), 'file'), 'x')
    const then = new Date(Date.now() - minutes * 60_000)
    utimesSync(join(`${path}-made`, name), then, then)
  }
  const failures: string[] = []
  const sweep = (unused: (names: readonly string[]) => readonly string[] = (names) => names) =>
    sweepFolders({
      workDir: path,
      unused: (names) => Promise.resolve(unused(names)),
      idleMs: 3_600_000,
      onFailure: (name) => failures.push(name),
    })
  return { path, folder, use, made, sweep, failures }
}

test('unused folders are removed, folders of runs and recently used ones stay', async () => {
  const { path, made, sweep, failures } = workDir()
  made('gone')
  made('had')
  made('fresh', 5)
  const asked: string[] = []
  expect(await sweep((names) => (asked.push(...names), names.filter((name) => name !== 'had')))).toBe(1)
  expect(asked.toSorted()).toEqual(['gone', 'had'])
  expect(readdirSync(path).toSorted()).toEqual(['fresh', 'had'])
  expect(readdirSync(`${path}-made`).toSorted()).toEqual(['fresh', 'had'])
  expect(failures).toEqual([])
})

test('a folder that the service did not create stays, whatever its name', async () => {
  const { path, folder, use, sweep } = workDir()
  mkdirSync(folder('mine'))
  use('mine')
  expect(await sweep()).toBe(0)
  expect(readdirSync(path)).toEqual(['mine'])
})

test('a link instead of a folder is removed as a link', async () => {
  const { path, folder, made, sweep } = workDir()
  const precious = join(top, 'precious')
  mkdirSync(precious)
  writeFileSync(join(precious, 'file'), 'x')
  made('swapped')
  rmSync(folder('swapped'), { recursive: true })
  symlinkSync(precious, folder('swapped'))
  expect(await sweep()).toBe(1)
  expect([readdirSync(path), existsSync(join(precious, 'file'))]).toEqual([[], true])
})

test('a run that starts during the sweep keeps its folder and its content', async () => {
  const { folder, use, made, sweep } = workDir()
  made('again')
  const swept = await sweep((names) => {
    use('again')
    return names
  })
  expect([swept, existsSync(join(folder('again'), 'file'))]).toEqual([0, true])
})

test('leftovers of an interrupted sweep are removed, and two concurrent sweeps do not fail', async () => {
  const { path, folder, made, sweep, failures } = workDir()
  mkdirSync(folder('_removed-01234567-89ab-cdef-0123-456789abcdef/deep'), { recursive: true })
  for (let name = 0; name < 50; name++) made(`f${name}`)
  const counts = await Promise.all([sweep(), sweep()])
  expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(50)
  expect([readdirSync(path), failures]).toEqual([[], []])
})
