import { homedir } from 'node:os'
import * as fc from 'fast-check'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Scope } from '#lib/definition/values/scope.ts'
import { expandPath } from '#lib/runner/inputs/expand-path.ts'

const base = '/wd'
const run = (): Promise<string> => Promise.resolve('/from/command')
const scope = (foreign: string): Scope => ({
  variables: new Map([
    ['OWN', '/srv/own'],
    ['MIXED', `/srv/mixed/${foreign}`],
    ['GIVEN', foreign],
  ]),
  positional: [foreign],
  steps: new Map([
    ['id', { stdout: '/logs/out', stderr: '/logs/err', exitCode: 0, outputs: { K: foreign } }],
  ]),
  foreign: new Map([
    ['GIVEN', 0],
    ['MIXED', '/srv/mixed/'.length],
    ['1', 0],
  ]),
})
const foldersOf = async (text: string, foreign = 'x'): Promise<readonly string[] | undefined> =>
  (await expandPath(text, base, { scope: scope(foreign), run })).bounds[0]?.folders

describe('the folder that a path cannot leave', () => {
  test.each([
    ['plain/file', undefined],
    ['/etc/file', undefined],
    ['$OWN/file', undefined],
    ['${id.stdout}.copy', undefined],
    ['${NOPE:-/etc}/file', undefined],
    ['logs/$GIVEN', '/wd/logs'],
    ['logs/pre-${GIVEN}/more', '/wd/logs'],
    ['${GIVEN}', '/wd'],
    ['$1/file', '/wd'],
    ['pre$GIVEN', '/wd'],
    ['/srv/${GIVEN}', '/srv'],
    ['../up/${GIVEN}', '/up'],
    ['$OWN/${GIVEN}', '/srv/own'],
    ['$OWN-${GIVEN}', '/srv'],
    ['$MIXED/file', '/srv/mixed'],
    ['${MIXED:0:9}/file', '/wd'],
    ['${id.outputs.K}', '/wd'],
    ['/a/`date`/b', '/a'],
  ])('of %s is %s', async (text, folder) => {
    expect(await foldersOf(text)).toEqual(folder === undefined ? undefined : [folder])
  })

  test('is the same whatever the caller gives', async () => {
    const piece = fc.constantFrom('..', '.', '/', 'a', '~', '${OWN}', '$GIVEN', '//', ' ', '\\', 'etc/')
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        async (before, given) => {
          const written = before.filter((part) => !/[$\\]/.test(part)).join('')
          const start = written.slice(0, written.lastIndexOf('/') + 1).trim()
          const folder = posix.resolve(base, start.replace(/^~(?=\/)/, homedir()))
          expect(await foldersOf(`${written}$GIVEN`, given.join(''))).toEqual([folder])
        },
      ),
    )
  })
})
