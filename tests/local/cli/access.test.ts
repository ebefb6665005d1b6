import { afterAll, describe, expect, test } from 'vitest'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { documents, millrace, serve } from '#tests/support/command-line.ts'
import { testDatabase } from '#tests/support/database.ts'

const { url, db } = await testDatabase()
const token = 'the-token-of-the-settings'
const settings = {
  DATABASE_URL: url,
  MILLRACE_PORT: '0',
  MILLRACE_LOG_LEVEL: 'silent',
  MILLRACE_AUTH_TOKEN: token,
}
const api = await serve(['api'], settings)
const here = { MILLRACE_URL: api.url }
const admin = { ...here, MILLRACE_API_KEY: token }

afterAll(async () => {
  api.process.kill('SIGTERM')
  await api.code
})

interface Key {
  readonly id: string
  readonly name: string
  readonly revokedAt: string
}

describe('connecting to a service', () => {
  test('takes a key from an option or the environment, or a user name and a password', async () => {
    expect(await millrace(['ps'], here)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('(--key, MILLRACE_API_KEY)') as string,
    })
    expect(await millrace(['ps'], admin)).toMatchObject({ code: 0 })
    expect(await millrace(['ps', '--key', token], here)).toMatchObject({ code: 0 })
    expect(await millrace(['ps', '--key', 'wrong'], admin)).toMatchObject({ code: 1 })
    expect(await millrace(['ps', '--key', 'two words'], admin)).toMatchObject({ code: 2 })
    await millrace(['users', 'create', 'ann', 'viewer'], admin, 'correct horse\n')
    const ann = { ...here, MILLRACE_USER: 'ann', MILLRACE_PASSWORD: 'correct horse' }
    expect(await millrace(['ps'], ann)).toMatchObject({ code: 0 })
    expect(await millrace(['keys', 'list'], ann)).toMatchObject({ code: 1, stdout: '' })
  })

  test('accepts a URL that ends in the path of the API', async () => {
    expect(await millrace(['ps', '--url', `${api.url}/api/v2/`], admin)).toMatchObject({ code: 0 })
  })
})

test('audit lists who changed what, and status tells an admin who stopped a run', async () => {
  expect(await millrace(['import', 'local/dags/hello.yaml'], admin)).toMatchObject({ code: 0 })
  const made = await millrace(['keys', 'create', 'deployer', 'operator'], admin)
  const deployer = { ...here, MILLRACE_API_KEY: made.stdout.trim() }
  await millrace(['start', 'hello', '--run-id', 'ahead'], deployer)
  await millrace(['enqueue', 'hello', '--run-id', 'behind'], deployer)
  expect(await millrace(['stop', 'behind'], deployer)).toMatchObject({ code: 0 })
  const [entry, ...more] = documents<{ actor: string; action: string }>(
    (await millrace(['audit', '--user', 'deployer', '--since', '1h', '-n', '1', '--json'], admin)).stdout,
  )
  expect(entry).toMatchObject({ action: 'dequeueDagRun' })
  expect(more).toEqual([])
  const table = (await millrace(['audit', '--utc'], admin)).stdout
  expect(table).toMatch(
    /^[-\d]+ [:\d]+ UTC +key deployer +operator +dequeueDagRun +done +\/api\/v2\/dag-runs\//m,
  )
  expect((await millrace(['status', 'hello', 'behind'], admin)).stdout).toContain(
    '  stopped by key deployer\n',
  )
  expect((await millrace(['status', 'hello', 'behind'], deployer)).stdout).not.toContain('stopped by')
  const found = await millrace(['audit', '--action', 'createApiKey', '--object', '/api-keys', '--utc'], admin)
  expect(found.stdout).toContain('name: deployer; role: operator')
  expect((await millrace(['audit', '--action', 'login'], admin)).stdout).not.toContain('dequeueDagRun')
  expect(await millrace(['audit'], deployer)).toMatchObject({ code: 1, stdout: '' })
  expect((await millrace(['runners'], admin)).stdout).toBe('no runners: nothing claims runs\n')
  expect(await millrace(['stop', '--all', 'hello'], deployer)).toMatchObject({ code: 0 })
  expect((await millrace(['status', 'ahead'], admin)).stdout).toContain('  stopped by key deployer\n')
})

test('settings shows the source of each value but no secret; sign-out ends the sessions of a user', async () => {
  const all = (await millrace(['settings', '--all'], admin)).stdout
  expect(all).toMatch(/^MILLRACE_PORT +0 +environment$/m)
  expect(all).toMatch(/^MILLRACE_AUTH_TOKEN +set, not shown +environment$/m)
  expect(await millrace(['settings'], here)).toMatchObject({ code: 1, stdout: '' })
  await millrace(['users', 'create', 'sam', 'viewer'], admin, 'correct horse\n')
  expect(await millrace(['users', 'sign-out', 'sam'], admin)).toMatchObject({
    code: 0,
    stdout: 'sam is signed out: 0 sessions\n',
  })
  expect(await millrace(['users', 'sign-out', 'nobody'], admin)).toMatchObject({ code: 1 })
})

describe('keys', () => {
  test('are created, listed and revoked', async () => {
    const made = await millrace(['keys', 'create', 'ci', 'viewer', '--days', '30'], admin)
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mr_\S+\n$/) as string })
    const own = { ...here, MILLRACE_API_KEY: made.stdout.trim() }
    expect(await millrace(['ps'], own)).toMatchObject({ code: 0 })
    const [key] = documents<Key>((await millrace(['keys', 'list', '--json'], admin)).stdout)
    expect(key).toMatchObject({
      name: 'ci',
      role: 'viewer',
      expiresAt: expect.stringMatching(/Z$/) as string,
    })
    expect((await millrace(['keys', 'list'], admin)).stdout).toMatch(/ {2}mr_\S+… +viewer +ci +- +20\d\d-/)
    expect((await millrace(['keys', 'revoke', 'ci'], admin)).stdout).toBe('revoked\n')
    expect(await millrace(['ps'], own)).toMatchObject({ code: 1 })
  })

  test('are revoked by name if exactly one valid key has it', async () => {
    for (const name of ['one', 'two', 'two'])
      await createApiKey(db, { name, role: 'viewer', createdBy: 'test', expiresInDays: undefined })
    const revoke = (name: string) => millrace(['keys', 'revoke', name], admin)
    expect(await revoke('one')).toMatchObject({ code: 0, stdout: 'revoked\n' })
    expect((await revoke('one')).stderr).toContain('no valid key has the name "one"')
    expect((await revoke('two')).stderr).toContain('several keys have the name "two": give the id')
  })

  test('are managed directly in the database with --database, without a service or a key', async () => {
    const on = (...args: string[]) => millrace(['keys', ...args, '--database'], settings)
    const made = await on('create', 'first', 'admin')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const own = { ...here, MILLRACE_API_KEY: made.stdout.trim() }
    expect(await millrace(['keys', 'list'], own)).toMatchObject({ code: 0 })
    const rows = documents<Key>((await on('list', '--json')).stdout)
    const id = rows.find(({ name }) => name === 'first')?.id ?? ''
    expect(await on('revoke', id)).toMatchObject({ code: 0, stdout: 'revoked\n' })
    expect(await millrace(['keys', 'list'], own)).toMatchObject({ code: 1 })
  })

  test('reports an unknown id and an invalid number of days', async () => {
    const none = '00000000-0000-0000-0000-000000000000'
    expect(await millrace(['keys', 'revoke', none], admin)).toMatchObject({
      code: 1,
      stderr: `millrace keys: API key "${none}" not found\n`,
    })
    expect(await millrace(['keys', 'create', 'ci', 'viewer', '--days', 'soon'], admin)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--days must be a whole number from 1 to 3650, got "soon"') as string,
    })
  })
})

test('users are created, changed, disabled and deleted', async () => {
  const role = async () => documents((await millrace(['users', 'list', '--json'], admin)).stdout)
  expect(await millrace(['users', 'create', 'bob', 'viewer'], admin, 'first password\n')).toMatchObject({
    code: 0,
    stdout: 'bob is created\n',
  })
  const bob = { ...here, MILLRACE_USER: 'bob', MILLRACE_PASSWORD: 'second password' }
  expect(await millrace(['ps'], bob)).toMatchObject({ code: 1 })
  const change = ['users', 'update', 'bob', '--password', '--role', 'admin']
  expect(await millrace(change, admin, 'second password\n')).toMatchObject({ code: 0 })
  expect(await millrace(['users', 'list'], bob)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^bob +admin /m) as string,
  })
  await millrace(['users', 'update', 'bob', '--disable'], admin)
  expect(await millrace(['ps'], bob)).toMatchObject({ code: 1 })
  expect(await role()).toContainEqual(expect.objectContaining({ username: 'bob', disabled: true }))
  await millrace(['users', 'update', 'bob', '--enable'], admin)
  expect(await millrace(['ps'], bob)).toMatchObject({ code: 0 })
  expect((await millrace(['users', 'delete', 'bob'], admin)).stdout).toBe('bob is deleted\n')
  expect(await role()).not.toContainEqual(expect.objectContaining({ username: 'bob' }))
  expect(await millrace(['users', 'update', 'bob'], admin)).toMatchObject({ code: 2 })
  expect(await millrace(['users', 'create', 'short', 'viewer'], admin, 'x\n')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('password: must have at least') as string,
  })
}, 60_000)
