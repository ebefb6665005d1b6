import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../postgres/free-port.ts'
import { defineCommand } from '../command.ts'
import { playDemo } from '../play-demo.ts'
import { openService, type Service } from '../service.ts'
import { startPart } from '../start-part.ts'

const readyPauseMs = 200

export const demo = defineCommand({
  name: 'demo',
  summary: 'Try Millrace: a service with some history, in a temporary folder',
  usage: [''],
  details:
    'It uses its own database and a free port, and ignores settings of the environment. Ctrl-C removes everything.',
  options: {},
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-demo-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    for (const name of Object.keys(process.env)) {
      if (/^(MILLRACE_|DATABASE_URL$)/.test(name)) Reflect.deleteProperty(process.env, name)
    }
    const port = await freePort()
    Object.assign(process.env, {
      MILLRACE_DATA_DIR: folder,
      MILLRACE_PORT: String(port),
      MILLRACE_LOG_LEVEL: 'warn',
    })
    // Its last call may fail because the service is shutting down.
    void playWhenReady(openService({ url: `http://127.0.0.1:${port}` }, {})).catch(() => undefined)
    return await startPart('main')
  },
})

async function playWhenReady(service: Service): Promise<void> {
  for (;;) {
    try {
      await service.ask('getHealth')
      break
    } catch {
      await pause(readyPauseMs)
    }
  }
  await playDemo(service)
}
