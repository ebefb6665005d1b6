#!/usr/bin/env node
/** `millrace COMMAND …`: the command line. `npm run millrace -- COMMAND …` until it is installed. */
import { runCommandLine } from './cli/run-command-line.ts'
import { receiveEnvironment } from './hand-environment.mjs'

receiveEnvironment()
// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})
const exitCode = await runCommandLine(process.argv.slice(2))
// Exits once all output is written; a hanging connection must not delay it.
process.stdout.write('', () => process.exit(exitCode))
