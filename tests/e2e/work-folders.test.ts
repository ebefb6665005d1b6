import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unusedFolders } from '#lib/runs/retention/unused-folders.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()

test('the working folder of a DAG is removed after the DAG and its last run are deleted', async () => {
  const first = kit.runner()
  const runOf = async (dagName: string, fileName: string | null) => {
    const key = await kit.start('steps:\n  - name: a\n    command: pwd > here\n', { dagName, fileName })
    expect(await kit.finished(key)).toMatchObject({ status: 'success' })
    return key
  }
  const ofFile = await runOf('inside', 'of-file')
  const ofName = await runOf('in.line', null)
  const folders = ['of-file', 'in_line'].map((name) => join(kit.folder, 'work', name))
  expect(folders.map((folder) => existsSync(join(folder, 'here')))).toEqual([true, true])
  const asked = ['of-file', 'in_line', 'inside', 'nothing']
  expect((await unusedFolders(kit.db, asked)).toSorted()).toEqual(['inside', 'nothing'])
  await first.stop()

  await kit.db.sql`delete from millrace.dag_run where run_key = ${ofName}`
  kit.runner({ folderIdleMs: -1_000 })
  await until('one folder is removed', () => !existsSync(folders[1] ?? ''))
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, false])
  await kit.db.sql`delete from millrace.dag_run where run_key = ${ofFile}`
  kit.runner({ folderIdleMs: -1_000 })
  await until('both folders are removed', () => !existsSync(folders[0] ?? ''))
})
