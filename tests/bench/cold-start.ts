import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { percentile, type Figure } from './figures.ts'

const top = new URL('../..', import.meta.url).pathname

/** Measures the time from the start of a process of the API bundle to its first response. */
export async function measureColdStart(folder: string, databaseUrl: string): Promise<Figure> {
  execFileSync(process.execPath, [join(top, 'infra/build.ts'), '--to', join(folder, 'dist'), 'api'])
  const times: number[] = []
  for (let round = 0; round < 7; round++) times.push(await firstAnswer(folder, databaseUrl))
  return {
    work: 'API bundle, first answer of a fresh process, p50',
    unit: 'ms',
    value: percentile(times, 0.5),
  }
}

async function firstAnswer(cwd: string, databaseUrl: string): Promise<number> {
  const began = performance.now()
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, MILLRACE_PORT: '0' }
  const api = spawn(process.execPath, ['dist/api/index.mjs'], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  let url: string | undefined
  while (url === undefined) {
    const [piece] = (await once(api.stderr, 'data')) as [Buffer]
    said += piece.toString()
    url = /listens on (http:\S+)/.exec(said)?.[1]
  }
  const answer = await fetch(`${url}/api/v2/health`)
  const took = performance.now() - began
  await answer.body?.cancel()
  const gone = once(api, 'exit')
  api.kill()
  await gone
  return took
}
