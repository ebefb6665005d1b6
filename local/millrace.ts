#!/usr/bin/env node
/** `millrace COMMAND …`: the command line. `npm run millrace -- COMMAND …` until it is installed. */
import { runCommandLine } from './cli/run-command-line.ts'

// Who reads only the head of an answer closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})
const exitCode = await runCommandLine(process.argv.slice(2))
// Behind what was written; a connection that hangs must not hold up the end.
process.stdout.write('', () => process.exit(exitCode))
