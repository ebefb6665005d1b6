import { stepUserPrefix } from './step-identity.ts'

/** A command line with its environment. */
interface Command {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Names that the loader and the C library act on before a program begins, as glibc and musl withhold them from programs
 * that raise privileges. Beginnings of names, since a longer name may hold a `=`.
 */
const forLoader = (
  'LD_ MUSL_ GLIBC_ MALLOC_ GCONV_PATH GETCONF_DIR HOSTALIASES LOCALDOMAIN LOCPATH NIS_PATH NLSPATH ' +
  'RESOLV_HOST_CONF RES_OPTIONS TZDIR'
).split(' ')
/** Names of a language: a value with a slash is a file to load. */
const forLanguage = ['LC_', 'LANG', 'OUTPUT_CHARSET']

/**
 * The command that runs a command of a step as the step user; the same without a step user. setpriv(1) begins with the
 * privileges of the service, and a variable such as `LD_PRELOAD` would run a library of the step in it. So env(1) adds
 * these variables, once the privileges are gone.
 */
export function asStepCommand({ argv, env }: Command): Command {
  const prefix = stepUserPrefix()
  if (prefix.length === 0) return { argv, env }
  const variables = Object.entries(env)
  const late = variables.filter(([name, value]) => actsEarly(name, value))
  if (late.length === 0) return { argv: [...prefix, ...argv], env }
  const words = late.map(([name, value]) => `${name}=${value}`)
  return {
    argv: [...prefix, '/usr/bin/env', ...words, ...argv],
    env: Object.fromEntries(variables.filter(([name, value]) => !actsEarly(name, value))),
  }
}

function actsEarly(name: string, value: string): boolean {
  const begins = (start: string): boolean => name.startsWith(start)
  return forLoader.some(begins) || (value.includes('/') && forLanguage.some(begins))
}
