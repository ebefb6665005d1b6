import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Agent, request } from 'undici'
import { connect } from '#lib/db/client.ts'
import type { Figure } from './figures.ts'

/** Calls `work` repeatedly with `callers` in parallel for `ms` milliseconds. @returns calls per second */
async function perSecond(ms: number, callers: number, work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  let count = 0
  const caller = async (): Promise<void> => {
    while (performance.now() - begun < ms) {
      await work()
      count++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (count * 1000) / (performance.now() - begun)
}

/** Upper bounds of this machine, measured in the same run as the service. */
export async function measureMachine(databaseUrl: string): Promise<Figure[]> {
  return [
    { work: 'process spawns (sh -c true)', unit: '/s', value: await spawns() },
    { work: 'commits of one row, 8 at once', unit: '/s', value: await commits(databaseUrl) },
    { work: 'HTTP answers of a bare Hono server', unit: '/s', value: await answers() },
  ]
}

async function spawns(): Promise<number> {
  return await perSecond(2000, 4, () => once(spawn('/bin/sh', ['-c', 'true'], { stdio: 'ignore' }), 'exit'))
}

async function commits(databaseUrl: string): Promise<number> {
  const database = connect(databaseUrl, { max: 8, applicationName: 'millrace-bench' })
  try {
    await database.sql`create table public.bench_commit (value text)`
    return await perSecond(
      2000,
      8,
      async () => await database.sql`insert into public.bench_commit values ('x')`,
    )
  } finally {
    await database.sql`drop table public.bench_commit`
    await database.close()
  }
}

async function answers(): Promise<number> {
  const app = new Hono().get('/', (context) => context.text('hello'))
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const agent = new Agent({ connections: 32 })
  try {
    return await perSecond(2000, 32, async () => {
      const reply = await request(`http://127.0.0.1:${port}/`, { dispatcher: agent })
      await reply.body.dump()
    })
  } finally {
    await agent.destroy()
    server.close()
  }
}
