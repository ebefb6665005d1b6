import { existsSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import type { Executor, StepContext, StepOutcome } from '../executor.ts'
import { programsOf, scriptSlot, type Program } from './programs.ts'
import { runProcess, type ProcessContext } from './run-process.ts'
import type { ProcessEnd } from './started-process.ts'
import { keepTail, tailNote } from './stderr-tail.ts'
import { makeStepFolder, removeStepFolder } from './step-folder.ts'

/** Runs commands and scripts as processes on this machine. */
export const shellExecutor: Executor = { run: runShell }

async function runShell(context: StepContext): Promise<StepOutcome> {
  const programs = programsOf(context)
  const tail = keepTail(context.stderr, context.mask?.())
  const watched = { ...context, stderr: tail.sink, stopSignal: context.step.signalOnStop }
  for (const program of programs) {
    const end = await runProgram(program, watched)
    if (end.how === 'exited' && end.code === 0 && !context.signal.aborted) continue
    return outcomeOf(end, program, {
      stderr: tail.text(),
      workingDir: context.workingDir,
      path: context.env['PATH'] ?? '',
    })
  }
  return { exitCode: 0, error: '' }
}

async function runProgram(
  program: Program,
  context: ProcessContext & Pick<StepContext, 'run'>,
): Promise<ProcessEnd> {
  if (program.plain !== undefined && !hasFunctions(context.env)) {
    const end = await runProcess(program.plain, context)
    if (end.how !== 'not-started') return end
    // The shell has its own words, and exit codes, for a program that is missing or cannot be started.
  }
  return await withScriptFile(program, context.run?.owner ?? '', (argv) => runProcess(argv, context))
}

/** Whether the environment defines functions for a bash that is called `sh`; they may have the name of a program. */
function hasFunctions(env: ProcessContext['env']): boolean {
  return Object.keys(env).some((name) => name.startsWith('BASH_FUNC_'))
}

/** Writes the script, if any, to a private file that exists while `use` runs. */
async function withScriptFile<T>(
  program: Program,
  owner: string,
  use: (argv: readonly string[]) => Promise<T>,
): Promise<T> {
  if (program.script === undefined) return use(program.argv)
  const { script } = program
  const folder = makeStepFolder('step', owner)
  try {
    const file = join(folder, 'script')
    // Never opens what somebody else may have put there.
    asStepUser(() => writeFileSync(file, script, { mode: 0o700, flag: 'wx' }))
    return await use(program.argv.map((word) => (word === scriptSlot ? file : word)))
  } finally {
    await removeStepFolder(folder)
  }
}

function outcomeOf(
  end: ProcessEnd,
  program: Program,
  seen: { stderr: string; workingDir: string; path: string },
): StepOutcome {
  const tail = tailNote(seen.stderr)
  if (end.how === 'exited') {
    return { exitCode: end.code, error: end.code === 0 ? '' : `exit status ${end.code}${tail}` }
  }
  if (end.how === 'signalled') {
    const exitCode = 128 + constants.signals[end.signal]
    return { exitCode, error: `signal: ${signalWord(end.signal)}${tail}` }
  }
  if (!existsSync(seen.workingDir)) {
    return { exitCode: 126, error: `working directory does not exist: ${seen.workingDir}` }
  }
  const name = program.argv[0] ?? ''
  const isUnknown = end.error.code === 'ENOENT' || !isOnPath(name, seen.path)
  const why = isUnknown ? 'command not found' : end.error.message
  return { exitCode: isUnknown ? 127 : 126, error: `${name}: ${why}` }
}

/** When a folder of PATH may not be searched, the system reports every unknown program as forbidden. */
function isOnPath(name: string, path: string): boolean {
  return name.includes('/') || path.split(':').some((folder) => existsSync(join(folder, name)))
}

function signalWord(signal: NodeJS.Signals): string {
  const words: Partial<Record<NodeJS.Signals, string>> = {
    SIGKILL: 'killed',
    SIGTERM: 'terminated',
    SIGINT: 'interrupt',
    SIGHUP: 'hangup',
    SIGQUIT: 'quit',
    SIGSEGV: 'segmentation fault',
    SIGABRT: 'aborted',
    SIGPIPE: 'broken pipe',
  }
  return words[signal] ?? signal
}
