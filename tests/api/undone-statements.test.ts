import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

/** A trigger rolls any statement back as a deadlock would, as often as the test says. */
const api = await testApi()
const { sql } = api.database.db

beforeAll(async () => {
  await sql.unsafe(`
    create table public.undoing (times int);
    insert into public.undoing values (0);
    create sequence public.undone;
    create function public.undo() returns trigger language plpgsql as $$
    begin
      if nextval('public.undone') <= (select times from public.undoing) then
        raise exception 'deadlock detected' using errcode = '40P01';
      end if;
      return null;
    end $$;
    create trigger undo after insert or update or delete on millrace.dag_run
    for each statement execute function public.undo();
    create trigger undo after insert or update or delete on millrace.dag
    for each statement execute function public.undo()`)
})

async function undo(times: number): Promise<void> {
  await sql`update public.undoing set times = ${times}::int`
  await sql.unsafe('alter sequence public.undone restart')
}

let file = ''
let count = 0
beforeEach(async () => {
  await undo(0)
  file = `file-${++count}`
  await api.createDag(file, 'steps:\n  - {name: work, command: echo work}\n')
})

const start = async (): Promise<string> =>
  (await api.post<{ dagRunId: string }>(`/dags/${file}/start`, {})).body.dagRunId
const ended = async (): Promise<string> => {
  const runId = await start()
  await api.finish(runId, 'failed', { work: 'failed' })
  return runId
}
const spec = 'steps:\n  - command: echo anew\n'

/** The call, after its preparations. */
const calls: readonly (readonly [string, () => Promise<readonly [string, string, object?]>])[] = [
  ['start', async () => ['POST', `/dags/${file}/start`, {}]],
  ['enqueue', async () => ['POST', `/dags/${file}/enqueue`, {}]],
  ['stop', async () => ['POST', `/dag-runs/${file}/${await start()}/stop`]],
  ['stop of all', async () => (await start(), ['POST', `/dags/${file}/stop-all`])],
  ['retry', async () => retryOf(await ended())],
  [
    'dequeue',
    async () => {
      await start()
      const { body } = await api.post<{ dagRunId: string }>(`/dags/${file}/enqueue`, {})
      return ['GET', `/dag-runs/${file}/${body.dagRunId}/dequeue`]
    },
  ],
  [
    'a change of a step',
    async () => ['PATCH', `/dag-runs/${file}/${await ended()}/steps/work/status`, { status: 4 }],
  ],
  ['a new file', async () => ['POST', '/dags', { name: `${file}-new`, spec }]],
  ['a new text', async () => ['PUT', `/dags/${file}/spec`, { spec }]],
  ['suspend', async () => ['POST', `/dags/${file}/suspend`, { suspend: true }]],
  ['rename', async () => ['POST', `/dags/${file}/rename`, { newFileName: `${file}-renamed` }]],
  ['delete', async () => ['DELETE', `/dags/${file}`]],
]

const retryOf = (dagRunId: string): readonly [string, string, object] => [
  'POST',
  `/dag-runs/${file}/${dagRunId}/retry`,
  { dagRunId },
]

test.each(calls)('%s succeeds even if the server rolls it back twice', async (_what, prepare) => {
  const [method, path, body] = await prepare()
  await undo(2)
  const { status } = await api.call(method, path, body === undefined ? {} : { body })
  expect([200, 201, 204]).toContain(status)
  const [row] = await sql<{ undone: number }[]>`select last_value::int as undone from public.undone`
  expect(row?.undone).toBeGreaterThan(2)
})

test.each(calls)(
  '%s is answered with 503 and a time to try again if it is always rolled back',
  async (what, prepare) => {
    const [method, path, body] = await prepare()
    await undo(1_000)
    const answer = await api.call(method, path, body === undefined ? {} : { body })
    // A stop of all says which runs it could not reach.
    if (what === 'stop of all')
      return expect(answer).toMatchObject({ status: 200, body: { errors: [expect.any(String)] } })
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('2')
  },
)
