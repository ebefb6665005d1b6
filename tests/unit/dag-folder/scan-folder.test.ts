import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { nameFiles } from '#lib/dag-folder/name-files.ts'
import { scanFolder } from '#lib/dag-folder/scan-folder.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-scan-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const pathsOf = async (folder: string): Promise<string[]> =>
  (await scanFolder(folder)).files.map(({ path }) => path).toSorted()

test('YAML files of subfolders are found, hidden files and other types are not', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'team/.git'), { recursive: true })
  for (const file of ['a.yaml', 'b.yml', 'c.txt', '.d.yaml', 'team/e.yaml', 'team/.git/f.yaml'])
    writeFileSync(join(folder, file), '')
  expect(await pathsOf(folder)).toEqual(['a.yaml', 'b.yml', 'team/e.yaml'])
})

test('symbolic links are listed as files and never entered as folders', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'sub'))
  symlinkSync('..', join(folder, 'sub/up'))
  symlinkSync('.', join(folder, 'self'))
  symlinkSync('loop.yaml', join(folder, 'loop.yaml'))
  writeFileSync(join(folder, 'sub/real.yaml'), '')
  symlinkSync('sub/real.yaml', join(folder, 'link.yaml'))
  expect(await pathsOf(folder)).toEqual(['link.yaml', 'loop.yaml', 'sub/real.yaml'])
})

test('a FIFO is listed without being opened, and so is a file of a gigabyte', async () => {
  const folder = newFolder()
  execFileSync('mkfifo', [join(folder, 'fifo.yaml')])
  writeFileSync(join(folder, 'large.yaml'), '')
  truncateSync(join(folder, 'large.yaml'), 2 ** 30)
  expect(await pathsOf(folder)).toEqual(['fifo.yaml', 'large.yaml'])
})

test('a folder that is nested too deep is reported', async () => {
  const folder = newFolder()
  const deep = Array.from({ length: limits.dagFolderDepthMax + 2 }, () => 'd').join('/')
  mkdirSync(join(folder, deep), { recursive: true })
  writeFileSync(join(folder, deep, 'lost.yaml'), '')
  const { files, unread } = await scanFolder(folder)
  expect(files).toEqual([])
  expect([...unread.values()]).toEqual([`it is more than ${limits.dagFolderDepthMax} folders deep`])
})

test('an unreadable subfolder is reported, and the rest is listed', async () => {
  const folder = newFolder()
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'closed'))
  chmodSync(join(folder, 'closed'), 0)
  onTestFinished(() => chmodSync(join(folder, 'closed'), 0o700))
  writeFileSync(join(folder, 'open.yaml'), '')
  asNobody()
  const { files, unread } = await scanFolder(folder)
  expect([files.map(({ path }) => path), [...unread.keys()]]).toEqual([['open.yaml'], ['closed']])
})

/** Root may read everything. */
function asNobody(): void {
  if (process.getuid?.() !== 0) return
  process.seteuid?.(65_534)
  onTestFinished(() => process.seteuid?.(0))
}

test('a changed file has another mark', async () => {
  const folder = newFolder()
  const markOf = async (): Promise<string | undefined> => (await scanFolder(folder)).files[0]?.mark
  writeFileSync(join(folder, 'a.yaml'), 'one')
  const before = await markOf()
  expect(await markOf()).toBe(before)
  writeFileSync(join(folder, 'a.yaml'), 'other')
  expect(await markOf()).not.toBe(before)
})

test('two files of one name are refused in any folders, and each message names the other file', () => {
  const files = ['a.yaml', 'team/a.yml', 'team/b.yaml'].map((path) => ({ path, mark: '' }))
  expect(nameFiles(files).map(({ path, fileName, fault }) => [path, fileName, fault])).toEqual([
    ['a.yaml', 'a', 'has the same name as team/a.yml: names must be unique across subfolders'],
    ['team/a.yml', 'a', 'has the same name as a.yaml: names must be unique across subfolders'],
    ['team/b.yaml', 'b', undefined],
  ])
})

test.each(['a b', 'ä', 'a.b', '\u{FFFD}', 'x\ny', 'n'.repeat(41), 'search', '..'])(
  'a file named %j is not a DAG',
  (name) => {
    const [file] = nameFiles([{ path: `team/${name}.yaml`, mark: '' }])
    expect(file).toMatchObject({
      fileName: undefined,
      fault: expect.stringContaining('the name of a DAG file'),
    })
  },
)
