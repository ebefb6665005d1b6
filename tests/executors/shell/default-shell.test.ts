import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveShell } from '#lib/executors/shell/default-shell.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const folder = temporaryFolder('millrace-shell')
const plain = join(folder, 'plain')
writeFileSync(plain, '#!/bin/sh\n')
chmodSync(plain, 0o644)
const program = join(folder, 'shell')
writeFileSync(program, '#!/bin/sh\n')
chmodSync(program, 0o755)

test('a shell name is looked up in PATH, a path is used as is', () => {
  expect(resolveShell('shell', `/nowhere:${folder}`)).toBe(program)
  expect(resolveShell(program, undefined)).toBe(program)
  expect(resolveShell('sh', undefined)).toBe('sh')
})

test.each([
  ['absent', folder, 'no folder of PATH has such a program'],
  ['plain', folder, 'no folder of PATH has such a program'],
  [join(folder, 'absent'), undefined, 'there is no such file'],
  [folder, undefined, 'it is not a file'],
  [plain, undefined, 'the user of steps may not execute it'],
])('the shell %s is refused with the setting and the reason', (setting, path, why) => {
  expect(() => resolveShell(setting, path)).toThrow(`MILLRACE_SHELL=${setting}: ${why}`)
})
