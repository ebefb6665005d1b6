/** `npm run migrate`: applies pending migrations and the settings given in the environment, then exits. */
import { applySettings } from '#lib/app/apply-settings.ts'
import { migrate } from '#lib/db/migrate.ts'
import { runPart } from './run-part.ts'

await runPart('migrate', async ({ deps }) => {
  await migrate(deps.db)
  // 'given': this machine may lack the settings of the deployment.
  await applySettings(deps, 'given')
  const isJson = process.argv.includes('--json')
  console.log(isJson ? JSON.stringify({ upToDate: true }) : 'the database is up to date')
  return 'done'
})
