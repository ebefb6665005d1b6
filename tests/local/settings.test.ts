import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { millrace } from '#tests/support/command-line.ts'
import { dataFolder, startServer, type Server } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

const data = dataFolder()
const dags = join(data.path, 'dags')
const base = join(data.path, 'base.yaml')
mkdirSync(dags)

const queued = 'queue: heavy\nsteps:\n  - sleep 30\n'
writeFileSync(join(dags, 'slow.yaml'), queued)
writeFileSync(join(dags, 'broken.yaml'), 'steps:\n  - nme: x\n')
writeFileSync(join(dags, 'dawn.yaml'), 'schedule: "0 6 * * *"\nsteps:\n  - echo\n')
writeFileSync(base, 'env: [{GREETING: hello}]\nhandlerOn: {exit: {command: echo "$GREETING exit"}}\n')

const settings = {
  MILLRACE_DAGS_DIR: dags,
  MILLRACE_BASE_CONFIG: base,
  MILLRACE_QUEUES: 'heavy=2',
  MILLRACE_TZ: 'Asia/Tokyo',
}
let server: Server = await startServer(data.path, settings)

afterAll(async () => {
  await server.stop()
  await data.remove()
})

interface Listed {
  readonly dags: { readonly fileName: string }[]
}

async function names(): Promise<string[]> {
  const { body } = await server.get('/dags')
  return (body as Listed).dags.map((dag) => dag.fileName).toSorted()
}

async function exitLog(name: string): Promise<string> {
  await server.post(`/dags/${name}/start`, { dagRunId: `${name}-${Date.now()}` })
  return until('the exit handler has spoken', async () => {
    const { body } = await server.get(`/dag-runs/${name}/latest/steps/onExit/log`)
    return (body as { content?: string }).content || undefined
  })
}

test('DAGs follow the files of the folder, and a file with faults is reported', async () => {
  expect(await names()).toEqual(['dawn', 'slow'])
  expect(server.output()).toContain('did you mean name?')
  expect(await millrace(['show', 'broken'], { MILLRACE_URL: server.url })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DAG "broken" not found; broken.yaml: ') as string,
  })
  writeFileSync(join(dags, 'new.yaml'), 'steps:\n  - echo new\n')
  await until('the new file is a DAG', async () => (await names()).includes('new'))
  rmSync(join(dags, 'new.yaml'))
  await until('its DAG is gone with it', async () => !(await names()).includes('new'))
})

test('a custom queue runs as many runs at once as its setting allows', async () => {
  for (let count = 0; count < 4; count++) await server.post('/dags/slow/enqueue', {})
  const { body } = await server.get('/queues')
  const { queues } = body as { queues: Record<string, unknown>[] }
  expect(queues.find((queue) => queue['name'] === 'heavy')).toMatchObject({
    type: 'custom',
    maxConcurrency: 2,
    summary: { running: 2, queued: 2, total: 4 },
  })
  await server.post('/dags/slow/stop-all', {})
})

test('the base configuration applies to every DAG, and a changed one does after a restart', async () => {
  writeFileSync(join(dags, 'plain.yaml'), 'steps:\n  - echo plain\n')
  await until('the file is a DAG', async () => (await names()).includes('plain'))
  expect(await exitLog('plain')).toBe('hello exit')
  await server.post('/dags', { name: 'posted', spec: 'steps:\n  - echo posted\n' })
  expect(await exitLog('posted')).toBe('hello exit')

  await server.stop()
  writeFileSync(base, 'env: [{GREETING: goodbye}]\nhandlerOn: {exit: {command: echo "$GREETING exit"}}\n')
  server = await startServer(data.path, settings)
  expect(await exitLog('posted')).toBe('goodbye exit')
})

test('schedules without a zone use the zone of the settings', async () => {
  const plan = await server.post('/dags/validate?plan=true', {
    spec: 'schedule: "0 6 * * *"\nsteps:\n  - echo\n',
  })
  expect(plan.body).toMatchObject({
    plan: { nextFires: expect.arrayContaining([expect.stringMatching(/T21:00:00Z$/)]) as string[] },
  })
})

test('a base configuration with faults prevents the start, with a reason', async () => {
  const other = dataFolder()
  const bad = join(other.path, 'bad.yaml')
  writeFileSync(bad, 'envv: []\n')
  await expect(startServer(other.path, { MILLRACE_BASE_CONFIG: bad })).rejects.toThrow(
    /MILLRACE_BASE_CONFIG=.*envv/,
  )
  await other.remove()
})

test('edit refuses a DAG that is a file of the folder', async () => {
  expect(await millrace(['edit', 'dawn'], { MILLRACE_URL: server.url, VISUAL: 'false' })).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'millrace edit: DAG "dawn" is the file dawn.yaml of the folder of DAGs (MILLRACE_DAGS_DIR): change it there\n',
  })
})
