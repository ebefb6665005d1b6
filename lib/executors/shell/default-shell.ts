import { accessSync, constants as modes, statSync } from 'node:fs'
import { asStepUser } from '#lib/privileges/step-identity.ts'
import { findProgram } from './find-program.ts'

/** The shell of steps that name none, unless the deployment names another. */
export const usualShell = 'sh'

/**
 * The program that runs the steps that name no shell. A name is looked up once, so that a DAG that changes PATH gets
 * the same shell.
 * @param setting value of MILLRACE_SHELL: an absolute path, or the name of a program
 * @param path where names are looked up: the PATH of steps
 * @throws Error when steps could not execute it
 */
export function resolveShell(setting: string, path: string | undefined): string {
  if (setting === usualShell) return usualShell
  const program = asStepUser(() => findProgram(setting, path))
  if (program === undefined) {
    throw new Error(`MILLRACE_SHELL=${setting}: no folder of PATH has such a program`)
  }
  const fault = asStepUser(() => faultOf(program))
  if (fault !== undefined) throw new Error(`MILLRACE_SHELL=${setting}: ${fault}`)
  return program
}

function faultOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return 'there is no such file'
  if (!stats.isFile()) return 'it is not a file'
  try {
    accessSync(file, modes.X_OK)
    return undefined
  } catch {
    return 'the user of steps may not execute it'
  }
}
