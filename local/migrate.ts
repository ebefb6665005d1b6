/** `npm run migrate`: brings the database up to date, applies the settings that it is given, and ends. */
import { applySettings } from '#lib/app/apply-settings.ts'
import { migrate } from '#lib/db/migrate.ts'
import { runPart } from './run-part.ts'

await runPart('migrate', async ({ deps }) => {
  await migrate(deps.db)
  // It may be run on any machine, without the settings of the deployment.
  await applySettings(deps, 'given')
  const isJson = process.argv.includes('--json')
  console.log(isJson ? JSON.stringify({ upToDate: true }) : 'the database is up to date')
  return 'done'
})
