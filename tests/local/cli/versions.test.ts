import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { documents, millrace } from '#tests/support/command-line.ts'
import { dataFolder, startServer } from '#tests/support/server.ts'

const data = dataFolder()
const server = await startServer(data.path)
const files = mkdtempSync(join(tmpdir(), 'millrace-versions-'))
const here = { MILLRACE_URL: server.url }
const ask = (...args: string[]) => millrace(args, here)
const file = join(files, 'etl.yaml')
const textOf = (word: string): string => `steps:\n  - name: work\n    command: echo ${word}\n`
const importText = async (word: string) => {
  writeFileSync(file, textOf(word))
  return await ask('import', file, '--replace', '-m', `say ${word}`)
}

afterAll(async () => {
  await server.stop()
  await data.remove()
  rmSync(files, { recursive: true })
})

test('a DAG is changed, compared, reverted, deleted and restored', { timeout: 120_000 }, async () => {
  for (const word of ['one', 'two', 'three']) expect(await importText(word)).toMatchObject({ code: 0 })
  expect(documents((await ask('versions', 'etl', '--json')).stdout)).toMatchObject([
    { version: 3, change: 'saved', source: 'cli', message: 'say three' },
    { version: 2, message: 'say two' },
    { version: 1, change: 'created', message: 'say one' },
  ])
  const { stdout: table } = await ask('versions', 'etl', '-n', '1')
  expect(table).toMatch(/^VERSION +SAVED +BY +FROM +CHANGE +MESSAGE\n3 +\S.+ - +cli +saved +say three\n$/)

  const changed = (before: string, after: string): string =>
    ` steps:\n   - name: work\n-    command: echo ${before}\n+    command: echo ${after}\n`
  const last = await ask('diff', 'etl')
  expect(last.code).toBe(1)
  expect(last.stdout).toMatch(/^--- etl version 2\n\+\+\+ etl version 3\n@@ -1,3 \+1,3 @@\n/)
  expect(last.stdout).toContain(changed('two', 'three'))
  expect((await ask('diff', 'etl', '1')).stdout).toContain(changed('one', 'three'))
  expect((await ask('diff', 'etl', '2', '1')).stdout).toContain(changed('two', 'one'))
  expect(await ask('diff', 'etl', file)).toMatchObject({ code: 0, stdout: '' })
  expect((await ask('diff', 'etl', '1', file)).stdout).toContain(changed('one', 'three'))
  expect(documents((await ask('diff', 'etl', '2', '--json')).stdout)).toMatchObject([
    { from: 'etl version 2', to: 'etl version 3', isSame: false, patch: expect.stringContaining('echo two') },
  ])

  expect(await ask('revert', 'etl', '1', '-m', 'back to one')).toEqual({
    code: 0,
    stdout: 'etl has the text of version 1 again, as version 4\n',
    stderr: '',
  })
  expect((await ask('show', 'etl', '--spec')).stdout).toBe(textOf('one'))
  expect((await ask('versions', 'etl', '-n', '1')).stdout).toMatch(/\n4 .* restored 1 +back to one\n$/)
  await ask('delete', 'etl', '--yes')
  expect((await ask('versions', 'etl', '-n', '1')).stdout).toMatch(/\n5 .* deleted\n$/)
  expect(documents((await ask('revert', 'etl', '5', '--json')).stdout)).toMatchObject([
    { dag: 'etl', restored: 5, version: 6 },
  ])
  expect((await ask('show', 'etl', '--spec')).stdout).toBe(textOf('one'))
})

test('an unknown DAG or version, and a diff that is too long, are errors', async () => {
  await importText('one')
  expect(await ask('versions', 'etk')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('did you mean etl?'),
  })
  expect(await ask('diff', 'etl', '999')).toMatchObject({ code: 1, stderr: expect.stringContaining('999') })
  writeFileSync(file, '# another line\n'.repeat(5_001))
  expect(await ask('diff', 'etl', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('differ in more than 5000 lines'),
  })
  expect(await ask('revert', 'etl', 'one')).toMatchObject({ code: 2 })
  expect((await ask('revert', 'etl', '999')).code).toBe(1)
})
