import { messageOf } from '#lib/core/errors.ts'
import { nearestName } from '#lib/core/nearest-name.ts'
import { UsageError, type Command } from './command.ts'
import { commands } from './commands.ts'
import { helpOf } from './help.ts'
import { createOutput, plain } from './output.ts'
import { readWords } from './read-words.ts'

const shortForms: Readonly<Record<string, string>> = {
  '-h': 'help',
  '--help': 'help',
  '--version': 'version',
}

/** Names that other tools use for our commands. */
const foreignNames: Readonly<Record<string, string>> = {
  run: 'start',
  exec: 'start',
  trigger: 'start',
  rerun: 'retry',
  restart: 'retry',
  cancel: 'stop',
  kill: 'stop',
  list: 'status',
  ls: 'status',
  rm: 'delete',
  remove: 'delete',
  log: 'logs',
  find: 'search',
  grep: 'search',
  diff: 'compare',
  output: 'logs',
  workers: 'runners',
  worker: 'runner',
  scheduler: 'tick',
  server: 'up',
  'start-all': 'up',
  pause: 'suspend',
  unpause: 'resume',
  dry: 'plan',
  lint: 'validate',
  check: 'validate',
  cat: 'show',
  describe: 'show',
}

/**
 * Runs one command.
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage; `start --wait` adds others
 */
export async function runCommandLine([first = 'help', ...args]: readonly string[]): Promise<number> {
  const name = shortForms[first] ?? first
  const command = commands.find((candidate) => candidate.name === name)
  try {
    if (command === undefined) throw unknown(name)
    return await runCommand(command, args)
  } catch (error) {
    const who = command === undefined ? 'millrace' : `millrace ${command.name}`
    console.error(`${who}: ${plain(sentenceOf(error))}${error instanceof UsageError ? hint(command) : ''}`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const { words, options, rest } = readWords(command, args)
  const output = createOutput({ isJson: options['json'] === true, isUtc: options['utc'] === true })
  if (options['help'] === true) {
    output.show({ help: helpOf(command) }, helpOf(command))
    return 0
  }
  try {
    return (await command.run({ words, options, rest, output })) ?? 0
  } finally {
    output.end()
  }
}

function unknown(name: string): UsageError {
  if (name.startsWith('-')) return new UsageError(`expected a command first, got ${JSON.stringify(name)}`)
  const nearest =
    foreignNames[name] ??
    nearestName(
      name,
      commands.map((command) => command.name),
    )
  const guess = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return new UsageError(`${JSON.stringify(name)} is not a command${guess}`)
}

const hint = (command: Command | undefined): string =>
  command === undefined ? ' (millrace help)' : ` (millrace help ${command.name})`

/** Node's message for a missing file names the system call; ours names the file. */
function sentenceOf(error: unknown): string {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error
  return isMissing ? `there is no file ${JSON.stringify(error.path)}` : messageOf(error)
}
