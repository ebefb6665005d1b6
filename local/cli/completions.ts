import type { Command, Option } from './command.ts'
import { commonOptions, isLiteral, slotsOf } from './read-words.ts'

interface Words {
  readonly name: string
  readonly summary: string
  readonly options: readonly { readonly long: string; readonly about: string; readonly takesValue: boolean }[]
  /** What may stand behind the name and is no name of a thing. */
  readonly verbs: readonly string[]
}

function wordsOf({ name, summary, options, usage }: Command): Words {
  return {
    name,
    summary,
    options: Object.entries<Option>({ ...options, ...commonOptions }).map(([long, option]) => ({
      long: `--${long}`,
      about: option.about,
      takesValue: option.value !== undefined,
    })),
    verbs: usage.flatMap((line) => slotsOf(line).slice(0, 1).filter(isLiteral)),
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Files where no word of ours fits. */
function bash(commands: readonly Command[]): string {
  const all = commands.map(wordsOf)
  const cases = all.map(({ name, options, verbs }) => {
    const words = [...verbs, ...options.map(({ long }) => long)].join(' ')
    return `    ${name}) words=${quoted(name === 'help' ? all.map((one) => one.name).join(' ') : words)} ;;`
  })
  return [
    '_millrace() {',
    '  local words',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words=${quoted(all.map(({ name }) => name).join(' '))}; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _millrace millrace',
  ].join('\n')
}

function zsh(commands: readonly Command[]): string {
  const described = (word: string, about: string): string => quoted(`${word.replaceAll(':', '\\:')}:${about}`)
  const all = commands.map(wordsOf)
  const names = all.map(({ name, summary }) => `    ${described(name, summary)}`)
  const cases = all.map(({ name, options, verbs }) => {
    const words = [
      ...verbs.map((verb) => described(verb, '')),
      ...options.map(({ long, about }) => described(long, about)),
    ]
    return name === 'help'
      ? '    help) words=("${names[@]}") ;;'
      : `    ${name}) words=(${words.join(' ')}) ;;`
  })
  return [
    '#compdef millrace',
    '_millrace() {',
    '  local -a names words_of',
    '  names=(',
    ...names,
    '  )',
    '  if (( CURRENT == 2 )); then _describe command names; return; fi',
    '  case "$words[2]" in',
    ...cases.map((line) => line.replace(' words=(', ' words_of=(')),
    '  esac',
    '  _describe word words_of || _files',
    '}',
    'compdef _millrace millrace',
  ].join('\n')
}

function fish(commands: readonly Command[]): string {
  const all = commands.map(wordsOf)
  const names = all.map(({ name }) => name).join(' ')
  return all
    .flatMap(({ name, summary, options, verbs }) => {
      const when = `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`
      return [
        `complete -c millrace -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
        ...verbs.map((verb) => `complete -c millrace ${when} -a ${verb}`),
        ...(name === 'help' ? [`complete -c millrace ${when} -a ${quoted(names)}`] : []),
        ...options.map(
          ({ long, about, takesValue }) =>
            `complete -c millrace ${when} -l ${long.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(about)}`,
        ),
      ]
    })
    .join('\n')
}

/** Programs for shells, made from the list of commands. */
export const completions = { bash, zsh, fish } as const
