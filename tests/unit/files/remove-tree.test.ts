import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeTree } from '#lib/files/remove-tree.ts'

const top = mkdtempSync(join(tmpdir(), 'millrace-tree-'))
afterAll(() => rmSync(top, { recursive: true }))
const directly = <T>(work: () => T): T => work()

test('a folder is removed with its content in short turns, without following links', async () => {
  const kept = join(top, 'kept')
  mkdirSync(kept)
  writeFileSync(join(kept, 'file'), 'x')
  const folder = join(top, 'gone')
  mkdirSync(join(folder, 'deep/er'), { recursive: true })
  mkdirSync(join(folder, 'closed'), { mode: 0o000 })
  symlinkSync(kept, join(folder, 'to-folder'))
  symlinkSync(join(kept, 'file'), join(folder, 'deep/to-file'))
  symlinkSync('/nowhere', join(folder, 'dangling'))
  for (let file = 0; file < 1_000; file++) writeFileSync(join(folder, 'deep/er', `${file}`), '')
  let turns = 0
  const counted = <T>(work: () => T): T => {
    turns++
    return work()
  }
  expect(await removeTree(folder, counted, 100_000)).toBe(true)
  expect([existsSync(folder), existsSync(join(kept, 'file')), turns > 4]).toEqual([false, true, true])
})

test('removal stops after a number of entries and continues with the next call', async () => {
  const folder = join(top, 'large')
  mkdirSync(folder)
  for (let file = 0; file < 1_000; file++) writeFileSync(join(folder, `${file}`), '')
  expect(await removeTree(folder, directly, 400)).toBe(false)
  expect(await removeTree(folder, directly, 400)).toBe(false)
  expect(await removeTree(folder, directly, 400)).toBe(true)
})

test('a link is removed without its target, and a missing path is no error', async () => {
  const target = join(top, 'target')
  mkdirSync(target)
  symlinkSync(target, join(top, 'link'))
  expect(await removeTree(join(top, 'link'), directly, 10)).toBe(true)
  expect([existsSync(join(top, 'link')), existsSync(target)]).toEqual([false, true])
  expect(await removeTree(join(top, 'link'), directly, 10)).toBe(true)
})
