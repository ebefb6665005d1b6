import { expect, test } from 'vitest'
import { createPostgresLogStore } from '#lib/logs/postgres-log-store.ts'
import { selectWindow } from '#lib/logs/select-window.ts'
import { testDatabase } from '#tests/support/database.ts'

const { db } = await testDatabase()
const store = createPostgresLogStore(db)

test('chunks in Postgres answer every window, whatever bytes they hold', async () => {
  await db.sql`insert into millrace.definition (hash, spec) values ('h', '')`
  const [run] = await db.sql<{ key: string }[]>`
    insert into millrace.dag_run (run_id, dag_name, definition_hash, status, trigger_type, ready_at)
    values ('r', 'd', 'h', 'not_started', 'api', now()) returning run_key::text as key
  `
  const key = { runKey: run?.key ?? '', attempt: 1, step: 'a b', stream: 'stdout' } as const
  await store.append(key, 0, Buffer.from('one\ntw'))
  await store.append(key, 1, Buffer.from('o\nthree\n'))
  await store.append(key, 1, Buffer.from('o\nthree\n'))
  await store.append(key, 2, Buffer.from([0x00, 0xff, 0x0a, 0x35]))
  const read = async (query: Parameters<typeof selectWindow>[0]) => {
    const lines = await store.window(key, selectWindow(query))
    return [Buffer.from(lines.bytes).toString('latin1'), lines.lineCount, lines.totalLines]
  }
  expect(await read({})).toEqual(['one\ntwo\nthree\n\0\xff\n5', 5, 5])
  expect(await read({ offset: 2, limit: 1 })).toEqual(['two', 1, 5])
  expect(await read({ tail: 2 })).toEqual(['\0\xff\n5', 2, 5])
  expect(await read({ offset: 6 })).toEqual(['', 0, 5])
  expect(await store.end(key)).toEqual({ sequence: 3, bytes: 18 })
  await db.sql`update millrace.dag_run set claim_token = 7 where run_key = ${key.runKey}`
  await store.append(key, 3, Buffer.from('late'), '6')
  expect(await store.end(key)).toEqual({ sequence: 3, bytes: 18 })
  await store.append(key, 3, Buffer.from('.'), '7')
  expect(await store.end(key)).toEqual({ sequence: 4, bytes: 19 })
  await store.removeRuns([key.runKey])
  expect(await read({})).toEqual(['', 0, 0])
})
