import type { Command, Option } from './command.ts'
import { commonOptions, isLiteral, slotsOf } from './read-words.ts'

interface Words {
  readonly name: string
  readonly summary: string
  readonly options: readonly { readonly long: string; readonly about: string; readonly takesValue: boolean }[]
  /** Words that may follow the command, other than names of DAGs, users and the like. */
  readonly verbs: readonly string[]
  /** The first word is the name of a DAG. */
  readonly takesDag: boolean
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
    takesDag: usage.some((line) => /^\[?DAG\b/.test(line)),
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The completion script for bash. Falls back to file names. */
function bash(commands: readonly Command[]): string {
  const all = commands.map(wordsOf)
  const cases = all.map(({ name, options, verbs, takesDag }) => {
    const words = [...verbs, ...options.map(({ long }) => long)].join(' ')
    const dags = takesDag ? ' dags=yes' : ''
    return `    ${name}) words=${quoted(name === 'help' ? all.map((one) => one.name).join(' ') : words)}${dags} ;;`
  })
  return [
    '_millrace() {',
    '  local words dags current="${COMP_WORDS[COMP_CWORD]}"',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words=${quoted(all.map(({ name }) => name).join(' '))}`,
    '  elif [ -n "$dags" ] && [[ "$current" != -* ]]; then',
    '    words="$words $(millrace completion dags "$current" 2>/dev/null)"',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _millrace millrace',
  ].join('\n')
}

function zsh(commands: readonly Command[]): string {
  const described = (word: string, about: string): string => quoted(`${word.replaceAll(':', '\\:')}:${about}`)
  const all = commands.map(wordsOf)
  const names = all.map(({ name, summary }) => `    ${described(name, summary)}`)
  const cases = all.map(({ name, options, verbs, takesDag }) => {
    const words = [
      ...verbs.map((verb) => described(verb, '')),
      ...options.map(({ long, about }) => described(long, about)),
    ]
    return name === 'help'
      ? '    help) words=("${names[@]}") ;;'
      : `    ${name}) words=(${words.join(' ')})${takesDag ? ' takes_dag=yes' : ''} ;;`
  })
  return [
    '#compdef millrace',
    '_millrace() {',
    '  local -a names words_of dags',
    '  local takes_dag',
    '  names=(',
    ...names,
    '  )',
    '  if (( CURRENT == 2 )); then _describe command names; return; fi',
    '  case "$words[2]" in',
    ...cases.map((line) => line.replace(' words=(', ' words_of=(')),
    '  esac',
    '  if [[ -n $takes_dag && $PREFIX != -* ]]; then',
    '    dags=(${(f)"$(millrace completion dags "$PREFIX" 2>/dev/null)"})',
    '    (( $#dags )) && _describe DAG dags && return',
    '  fi',
    '  _describe word words_of || _files',
    '}',
    'compdef _millrace millrace',
  ].join('\n')
}

const askFish = '(millrace completion dags (commandline -ct) 2>/dev/null)'

function fish(commands: readonly Command[]): string {
  const all = commands.map(wordsOf)
  const names = all.map(({ name }) => name).join(' ')
  return all
    .flatMap(({ name, summary, options, verbs, takesDag }) => {
      const when = `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`
      return [
        `complete -c millrace -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
        ...verbs.map((verb) => `complete -c millrace ${when} -a ${verb}`),
        ...(name === 'help' ? [`complete -c millrace ${when} -a ${quoted(names)}`] : []),
        ...(takesDag ? [`complete -c millrace ${when} -a ${quoted(askFish)}`] : []),
        ...options.map(
          ({ long, about, takesValue }) =>
            `complete -c millrace ${when} -l ${long.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(about)}`,
        ),
      ]
    })
    .join('\n')
}

/** Completion scripts for shells, generated from the list of commands. */
export const completions = { bash, zsh, fish } as const
