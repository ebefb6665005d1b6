import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runnerKit } from './runner-kit.ts'

/** A stop passes from a parent to its children, on the same runner or another, and their handlers finish. */
const { db, folder, runner, start, finished, printed, log } = await runnerKit()
const gate = join(folder, 'gate')

beforeAll(() => {
  execFileSync('mkfifo', [gate])
  runner({ labels: { at: 'one' } })
  runner({ labels: { at: 'two' } })
})

/** Starts a run whose child is executing a step. @param where the runner of the child; the parent runs on `one` */
async function tree(where: string): Promise<{ parent: string; child: string }> {
  const parent = await start([
    'workerSelector: {at: one}',
    'steps: [{name: call, call: kid}]',
    'handlerOn: {cancel: {command: echo parent tidied}}',
    '---',
    'name: kid',
    `workerSelector: {at: ${where}}`,
    'steps: [{name: long, command: "echo ready; exec sleep 30"}]',
    `handlerOn: {cancel: {command: "echo tidying; cat ${gate}"}, exit: {command: echo ended}}`,
  ])
  const read = async (): Promise<string | undefined> => {
    const [row] = await db.sql<{ key: string }[]>`
      select run_key::text as key from millrace.dag_run where parent_key = ${parent}`
    return row?.key
  }
  await expect.poll(read, { timeout: 10_000, interval: 20 }).toBeDefined()
  const child = (await read()) ?? ''
  await printed(child, 'long', 'ready')
  return { parent, child }
}

const stop = (run: string) => db.sql`select millrace.stop_run(${run}::bigint)`

/** When the stop of the run was requested. */
async function stopRequestedAt(run: string): Promise<unknown> {
  const [row] =
    await db.sql`select stop_requested_at::text as at from millrace.dag_run where run_key = ${run}`
  return row?.['at']
}

const tidied = { status: 'cancelled', steps: { long: 'cancelled', onCancel: 'success', onExit: 'success' } }

describe.each(['one', 'two'])('a child on runner %s', (where) => {
  test('tidies up when its parent is stopped, and the parent waits for it', async () => {
    const { parent, child } = await tree(where)
    await stop(parent)
    await printed(child, 'onCancel', 'tidying')
    writeFileSync(gate, 'tidied\n')
    expect(await finished(child)).toMatchObject(tidied)
    expect(await log(child, 'onCancel')).toBe('tidying\ntidied\n')
    expect(await finished(parent)).toMatchObject({
      status: 'cancelled',
      steps: { call: 'cancelled', onCancel: 'success' },
    })
  })

  test('that was stopped first continues to tidy up when its parent is stopped too', async () => {
    const { parent, child } = await tree(where)
    await stop(child)
    await printed(child, 'onCancel', 'tidying')
    const requestedAt = await stopRequestedAt(child)
    await stop(parent)
    expect(await stopRequestedAt(child)).toBe(requestedAt)
    writeFileSync(gate, 'tidied\n')
    expect(await finished(child)).toMatchObject(tidied)
    expect((await finished(parent)).status).toBe('cancelled')
  })

  test('ends its handler when its parent is stopped a second time', async () => {
    const { parent, child } = await tree(where)
    await stop(parent)
    await printed(child, 'onCancel', 'tidying')
    await stop(parent)
    expect(await finished(child)).toMatchObject({
      status: 'cancelled',
      steps: { onCancel: 'cancelled', onExit: 'success' },
    })
    expect((await finished(parent)).status).toBe('cancelled')
  })
})
