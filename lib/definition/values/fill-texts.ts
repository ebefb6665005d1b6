import type { Step } from '../definition.ts'
import { executors } from '../executor-config/executors.ts'
import { expand, expandParts, isLiteral, type ExpandOptions } from './expand.ts'
import { isPosixShell } from './posix-shell.ts'
import { jsonFromParts, requestLine } from './request-text.ts'
import type { CommandRunner, Scope } from './scope.ts'
import { shellTexts } from './shell-text.ts'
import { quoteWord, splitWords } from './split-words.ts'

/** What the texts of a step are filled from. */
export interface Filling {
  readonly scope: Scope
  readonly run: CommandRunner
  /** Argument vector of the shell that reads the step's programs on this machine. */
  readonly shell: readonly string[]
  readonly options?: ExpandOptions
}

/** Commands and script of a step with the values of a run. */
export interface FilledTexts {
  readonly commands: readonly string[]
  readonly script: string | undefined
  /** Variables made for rewritten program texts. */
  readonly env: Readonly<Record<string, string>>
}

type FilledStep = Pick<Step, 'commands' | 'script' | 'executor' | 'shell'>

/**
 * Puts values into commands and script, by the rule of the step's executor.
 * @throws Error when a value would change the structure of a request, or a quote is not closed
 */
export async function fillTexts(step: FilledStep, filling: Filling): Promise<FilledTexts> {
  const rule = executors[step.executor.type].texts
  if (rule === 'program') return fillPrograms(step, filling)
  const { commands, script } = step
  const fillLine = lineRules[rule]
  const lines = await Promise.all(commands.map((line) => fillLine(line, filling)))
  const fillScript = rule === 'request' ? fillJson : fillText
  return { commands: lines, script: script && (await fillScript(script, filling)), env: {} }
}

const fillText = (text: string, { scope, run, options }: Filling): Promise<string> =>
  expand(text, scope, run, options)

const fillJson = async (text: string, { scope, run, options }: Filling): Promise<string> =>
  jsonFromParts(await expandParts(text, scope, run, options))

/** How each rule fills a command. */
const lineRules = {
  plain: fillText,
  words: fillWords,
  filter: (line: string) => Promise.resolve(line),
  request: async (line: string, { scope, run, options }: Filling) =>
    requestLine(await expandParts(line, scope, run, options)),
} as const

/** Fills a command line that no shell reads: values are put into its words and never create new words. */
async function fillWords(line: string, filling: Filling): Promise<string> {
  if (isLiteral(line)) return line
  const words = await Promise.all(splitWords(line).map((word) => fillText(word, filling)))
  return words.map(quoteWord).join(' ')
}

/** Only programs of a POSIX shell are rewritten to receive values; other interpreters read their environment. */
async function fillPrograms(step: FilledStep, filling: Filling): Promise<FilledTexts> {
  const { commands, script } = step
  const { program, isChosen } = shellOf(step, filling.shell)
  const isInterpreter = script !== undefined && commands.length > 0
  if (isInterpreter || program === 'direct') {
    const lines = await Promise.all(commands.map((line) => fillWords(line, filling)))
    return { commands: lines, script, env: {} }
  }
  const other = script?.startsWith('#!') === true && !isChosen && !/^#!.*\b(ba|da|k|z|a)?sh\b/.test(script)
  if (other || !isPosixShell(program)) return { commands, script, env: {} }
  const { texts, env } = shellTexts([...commands, ...(script === undefined ? [] : [script])], filling.scope)
  return {
    commands: texts.slice(0, commands.length),
    script: script === undefined ? undefined : texts[commands.length],
    env,
  }
}

/** The interpreter of a step's programs, and whether the step names it. */
interface StepShell {
  readonly program: string
  readonly isChosen: boolean
}

/** On another machine, the shell is that of the executor's config. */
function shellOf({ executor, shell }: FilledStep, local: readonly string[]): StepShell {
  if (executors[executor.type].shell === 'local')
    return { program: local[0] ?? 'sh', isChosen: shell !== undefined }
  const { shell: remote } = executor.config as { readonly shell?: string }
  return { program: splitWords(remote ?? 'sh')[0] ?? 'sh', isChosen: remote !== undefined }
}
