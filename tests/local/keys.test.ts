import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { findKey } from '#lib/api-keys/find-key.ts'
import { testDatabase } from '#tests/support/database.ts'

const { db, url } = await testDatabase()
const run = promisify(execFile)
const keys = async (...args: string[]): Promise<string> => {
  const env = { ...process.env, DATABASE_URL: url, MILLRACE_LOG_LEVEL: 'silent' }
  return (await run(process.execPath, ['local/keys.ts', ...args], { env })).stdout.trim()
}

test('a key is made, listed and revoked on the database', async () => {
  expect(await keys('list')).toBe('no keys')
  const key = await keys('create', 'ci', 'operator', '30')
  expect(await findKey(db, key)).toMatchObject({ name: 'ci', role: 'operator' })
  const [id = ''] = (await keys('list')).split('  ')
  expect(await keys('list')).toMatch(
    / {2}mr_\w+… {2}operator {2}ci {2}expires 20\d\d-\d\d-\d\d {2}revoked -$/,
  )
  expect(await keys('revoke', id)).toBe('revoked')
  expect(await findKey(db, key)).toBeUndefined()
})

describe('what cannot be done is said', () => {
  test.each([
    [[], /usage: npm run keys/],
    [['create', 'ci', 'king'], /role: must be one of viewer, operator, editor, admin, got "king"/],
    [['create', 'ci', 'admin', 'soon'], /must be a number of days, got "soon"/],
    [['revoke', '00000000-0000-0000-0000-000000000000'], /API key ".*" not found/],
  ])('%j', async (args, message) => {
    await expect(keys(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
  })
})
