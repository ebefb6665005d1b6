import { stepUserPrefix } from './step-identity.ts'

/** A command line with its environment. */
interface Command {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Prefixes of variables that the loader and the C library read before a program starts; glibc and musl ignore them in
 * setuid programs. Prefixes, because a longer name may contain a `=`.
 */
const forLoader = (
  'LD_ MUSL_ GLIBC_ MALLOC_ GCONV_PATH GETCONF_DIR HOSTALIASES LOCALDOMAIN LOCPATH NIS_PATH NLSPATH ' +
  'RESOLV_HOST_CONF RES_OPTIONS TZDIR'
).split(' ')
/** Locale variables: a value with a slash is a file to load. */
const forLanguage = ['LC_', 'LANG', 'OUTPUT_CHARSET']

/**
 * Wraps a command of a step so that it runs as the step user; without one, returns it unchanged. setpriv(1) starts with
 * the privileges of the service, and a variable such as `LD_PRELOAD` would load a library of the step into it. So
 * env(1) adds such variables after the privileges are dropped.
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
