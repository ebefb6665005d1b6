import { defineCommand } from '../command.ts'
import { startPart } from '../start-part.ts'

export const up = defineCommand({
  name: 'up',
  summary: 'Run the whole service: database, API, tick and runner',
  usage: [''],
  details:
    'It listens on MILLRACE_HOST and MILLRACE_PORT (127.0.0.1:8080). Its data is in MILLRACE_DATA_DIR (.millrace);\n' +
    'with DATABASE_URL, it uses that PostgreSQL instead of its own. /docs of the service explains every setting.',
  options: {},
  run: () => startPart('main'),
})
