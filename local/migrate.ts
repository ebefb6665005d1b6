/** `npm run migrate`: brings the database up to date and ends. */
import { migrate } from '#lib/db/migrate.ts'
import { runPart } from './run-part.ts'

await runPart('migrate', async ({ parts }) => {
  await migrate(parts.db)
  const isJson = process.argv.includes('--json')
  console.log(isJson ? JSON.stringify({ upToDate: true }) : 'the database is up to date')
  return 'done'
})
