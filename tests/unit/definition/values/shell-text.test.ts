import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Scope, StepReference } from '#lib/definition/values/scope.ts'
import { shellTexts } from '#lib/definition/values/shell-text.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

const shells = ['/bin/sh', '/bin/bash'].filter((shell) => existsSync(shell))
const hasBash = shells.includes('/bin/bash')

function scopeOf(variables: Record<string, string>, steps: Record<string, StepReference> = {}): Scope {
  return {
    variables: new Map(Object.entries(variables)),
    positional: [],
    steps: new Map(Object.entries(steps)),
  }
}

function shellText(program: string, scope: Scope): { text: string; env: Readonly<Record<string, string>> } {
  const { texts, env } = shellTexts([program], scope)
  return { text: texts[0] ?? '', env }
}

const writer: StepReference = {
  stdout: '/logs/a b/$x.out',
  stderr: '/logs/e.err',
  exitCode: 42,
  outputs: { KEY: 'v w' },
}

function run(text: string, scope: Scope, shell = '/bin/sh'): string {
  const program = shellText(text, scope)
  const result = spawnSync(shell, ['-c', program.text, 'millrace', ...scope.positional], {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', ...Object.fromEntries(scope.variables), ...program.env },
    encoding: 'utf8',
    // A socket as standard input would make bash read its start-up files.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return result.stdout + result.stderr
}

const doc = JSON.stringify({
  name: 'it\'s $(echo bad) `x` "q"',
  n: 7,
  list: [1, 'two'],
  'da-sh': 'd',
  empty: '',
})

const scope = scopeOf(
  { DOC: doc, PLAIN: 'p q', BIRDS: '["rook","crow"]', 'my-name': 'dashed' },
  { writer, 'w-2': writer },
)
const name = 'it\'s $(echo bad) `x` "q"'

const positions = [
  ['within double quotes', 'printf "%s|" "a ${DOC.name} b"', `a ${name} b|`],
  [
    'without quotes is split into words, like every variable',
    'printf "%s|" ${DOC.name}',
    `it's|$(echo|bad)|\`x\`|"q"|`,
  ],
  ['within single quotes', "printf '%s|' 'a ${DOC.name} b'", `a ${name} b|`],
  ['twice within single quotes', "printf '%s|' '${DOC.n}${DOC.n}'", '77|'],
  ['in a here-document', 'cat <<EOF\n${DOC.name}\nEOF\necho ${DOC.n}', `${name}\n7\n`],
  ['in a here-document with tabs', 'cat <<-E\n\t${DOC.n}\n\tE\necho "${DOC.n}"', '7\n7\n'],
  [
    'stays in a here-document with a quoted delimiter',
    "cat <<'EOF'\n${DOC.n}\nEOF\necho ${DOC.n}",
    '${DOC.n}\n7\n',
  ],
  [
    'in two here-documents of a line',
    'cat <<A; cat <<"B"\n${DOC.n}\nA\n${DOC.n}\nB\necho ${DOC.n}',
    '7\n${DOC.n}\n7\n',
  ],
  ['stays in a comment', "echo a # don't ${DOC.n}\necho ${DOC.n}", 'a\n7\n'],
  ['after a hash that is no comment', "echo a#b${DOC.n} $# '${DOC.n}'", 'a#b7 0 7\n'],
  ['in a substitution', 'echo "$(echo "${DOC.name}")"', `${name}\n`],
  ['in a substitution with a case', 'echo "$(case a in a) echo "${DOC.n}";; esac) ${DOC.n}"', '7 7\n'],
  ['in a substitution with parentheses', 'echo "$( (echo ")${DOC.n}") ) \'${DOC.n}\'"', ")7 '7'\n"],
  ['in backticks', 'echo `echo "${DOC.n} a"` "${DOC.n}"', '7 a 7\n'],
  ['in arithmetic', 'echo $(( ${DOC.n} * 2 )) $(( (1+2)*${DOC.n} ))', '14 21\n'],
  ['as the default of a variable', 'echo "${NOPE:-${DOC.n}}" ${NOPE:-"${DOC.n}"}', '7 7\n'],
  [
    'with a default of its own',
    'echo "${DOC.empty:-none} ${DOC.missing:-"a b"} ${DOC.n:-no}"',
    'none a b 7\n',
  ],
  ['with a suffix pattern', 'echo "${DOC.da-sh%d}x"', 'x\n'],
  ['without braces', 'echo "$DOC.n and $DOC.nope, $PLAIN.txt"', `7 and ${doc}.nope, p q.txt\n`],
  ['a missing member is empty', 'echo "[${DOC.missing}]"', '[]\n'],
  ['an element', 'echo "${DOC.list[1]} ${DOC.list.[0]} ${BIRDS[-1]}"', 'two 1 crow\n'],
  ['an object', 'echo "${DOC.list}"', '[1,"two"]\n'],
  ['a slice', 'echo "${DOC.list[1]:1:1} ${writer.exit_code:1}"', 'w 2\n'],
  ['a name that no shell knows', 'echo "${my-name}"', 'dashed\n'],
  [
    'the file of a step is one word',
    'printf "%s|" ${writer.stdout} "${w-2.stdout}"',
    '/logs/a b/$x.out|/logs/a b/$x.out|',
  ],
  ['the exit code of a step', 'echo "code ${writer.exit_code} ${writer.exitCode}"', 'code 42 42\n'],
  ['the output of a step', 'echo "${writer.outputs.KEY} ${writer.outputs.NONE}."', 'v w .\n'],
  ['a step without an id stays', "echo '${plain.stdout}'", '${plain.stdout}\n'],
  ['an escaped reference stays', 'echo "\\${DOC.n}" \\${DOC.n}', '${DOC.n} ${DOC.n}\n'],
  [
    'expansions that the shell knows are left to it',
    'echo "${UNSET:-fallback} ${#PLAIN} $PLAIN \'$PLAIN\'"; X=1; echo ${X}',
    "fallback 3 p q 'p q'\n1\n",
  ],
  ['plain variables stay within single quotes', "echo '$PLAIN ${PLAIN}'", '$PLAIN ${PLAIN}\n'],
  ['an inner shell reads the variable itself', 'sh -c \'echo "${DOC.name}"\'', `${name}\n`],
  ['an evaluated text reads the variable itself', 'eval \'echo "${DOC.name}"\'', `${name}\n`],
  [
    'stays in the program of another interpreter',
    "printf 'x\\n' | awk '{ print \"${DOC.n}\" }'",
    '${DOC.n}\n',
  ],
  ['is replaced in an option of another interpreter', "awk -v v='${DOC.n}' 'BEGIN { print v }'", '7\n'],
  ['a quote after a dollar sign closes', 'echo "cost: 5$" "${DOC.n}"', 'cost: 5$ 7\n'],
  ['a backslash continues the line', 'echo \\\n"${DOC.n}"', '7\n'],
  ['a shift is not a here-document', "echo $((1<<2)) '${DOC.n}'", '4 7\n'],
]

describe('a reference in a program', () => {
  it.each(positions)('%s', (_title, text, expected) => {
    for (const shell of shells) expect(run(text, scope, shell), shell).toBe(expected)
  })

  it('stays when it is not closed or its braces hold more than a reference', () => {
    for (const text of [
      'echo "${DOC.n"',
      'echo ${DOC.n!}',
      'echo ${DOC.list[0]!}',
      "echo '${DOC.n:-x}'",
      "echo '${DOC.n",
    ]) {
      expect(shellText(text, scope)).toEqual({ text, env: {} })
    }
    expect(shellText('cat <<E\n${DOC.n:-"$(echo ${DOC.n})"}\nE', scope).text).toBe(
      'cat <<E\n${MILLRACE_VALUE_1:-"$(echo ${MILLRACE_VALUE_1})"}\nE',
    )
  })

  it('ignores a single quote in the default of a quoted variable, as sh does', () => {
    const text = `echo "\${NOPE:-it's \${DOC.n}}" '\${DOC.n}'`
    expect(shellText(text, scope).text).toBe(
      `echo "\${NOPE:-it's \${MILLRACE_VALUE_1}}" ''"\${MILLRACE_VALUE_1}"''`,
    )
  })

  it.runIf(hasBash)('is replaced by bash in a subshell that looks like arithmetic', () => {
    expect(run(`echo "$((echo \${DOC.n}) | cat) '\${DOC.n}'"`, scope, '/bin/bash')).toBe("7 '7'\n")
  })

  it.runIf(hasBash)('is replaced by bash beside arrays, in here-strings and in dollar quotes', () => {
    const bash = (text: string): string => run(text, scope, '/bin/bash')
    expect(bash('A=(x y); echo "${A[1]} ${PLAIN[0]}"')).toBe('y p q\n')
    expect(bash("cat <<<'${DOC.n}'; echo ${DOC.n}")).toBe('7\n7\n')
    expect(bash("echo $'it\\'s\\t${DOC.n}' '${DOC.n}'")).toBe("it's\t7 7\n")
  })
})

describe('a positional param', () => {
  it('is left to the shell up to $9, and $10 is the tenth', () => {
    const positional = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
    expect(run('echo $1 ${10} $10 $11', { ...scopeOf({}), positional })).toBe('a j j a1\n')
    expect(run('echo $10', { ...scopeOf({}), positional: ['a'] })).toBe('a0\n')
  })
})

describe('generated variables', () => {
  it('are named apart from what program and scope use', () => {
    const scope = scopeOf({ D: '{"a":1}', MILLRACE_VALUE_1: 'mine' })
    expect(shellText('echo ${D.a} $MILLRACE_VALUE_X1_1', scope)).toEqual({
      text: 'echo ${MILLRACE_VALUE_X2_1} $MILLRACE_VALUE_X1_1',
      env: { MILLRACE_VALUE_X2_1: '1' },
    })
  })

  it('are shared by the same reference', () => {
    const { text, env } = shellText('${D.a} ${D.b} ${D.a}', scopeOf({ D: '{"a":1,"b":"\\u0000x"}' }))
    expect(text).toBe('${MILLRACE_VALUE_1} ${MILLRACE_VALUE_2} ${MILLRACE_VALUE_1}')
    expect(env).toEqual({ MILLRACE_VALUE_1: '1', MILLRACE_VALUE_2: 'x' })
    const keys = shellText('${D["a}b"]} ${D["ab"]} $D.ab', scopeOf({ D: '{"a}b":1,"ab":2}' }))
    expect(Object.values(keys.env)).toEqual(['1', '2', '2'])
  })

  it('are not made without a reference', () => {
    const text = 'echo $A ${B} ${C:-x} "$@" $((1+2)) `date`'
    expect(shellText(text, scopeOf({ A: '{"a":1}' }))).toEqual({ text, env: {} })
  })
})

const shellish = fc.string({
  unit: fc.constantFrom(
    ...Array.from('"\'`$(){}\\\n\t;&|<>#*?[]!~= ab'),
    '$(touch /tmp/millrace-pwned)',
    'é',
    '🌱',
    'EOF',
    "'; id #",
  ),
  maxLength: 30,
})

describe('arbitrary values', () => {
  it('arrive unchanged in every position', () => {
    const positions = [
      ['"${D.v}"', ''],
      ["'${D.v}'", ''],
      ['"$(printf %s "${D.v}"; echo x)"', 'x'],
      ['"`printf %s "${D.v}"`"y', 'y'],
      ['"${NOPE:-${D.v}}"', ''],
      ['"${D.v:-none}"', ''],
    ] as const
    fc.assert(
      fc.property(shellish, (value) => {
        const v = `${value}.`
        const text = positions.map(([position]) => `printf '%s\\036' ${position}`).join('\n')
        const wanted = positions.map(([, end]) => `${v}${end}\x1e`).join('')
        expect(run(text, scopeOf({ D: JSON.stringify({ v }) }))).toBe(wanted)
      }),
      { numRuns: 150 },
    )
    expect(existsSync('/tmp/millrace-pwned')).toBe(false)
  })

  it('arrive unchanged in here-documents and inner shells', () => {
    fc.assert(
      fc.property(shellish, (value) => {
        const v = `${value}.`
        const text = 'cat <<EOF\n${D.v}\nEOF\nsh -c \'printf %s "${D.v}"\''
        expect(run(text, scopeOf({ D: JSON.stringify({ v }) }))).toBe(`${v}\n${v}`)
      }),
      { numRuns: 60 },
    )
    expect(existsSync('/tmp/millrace-pwned')).toBe(false)
  })
})

describe('arbitrary programs', () => {
  const tokens = fc.constantFrom(
    ...Array.from('"\'`$(){}\\\n;#<ab '),
    '${D.v}',
    '$D.v',
    '${w.stdout}',
    '$((',
    '))',
    '<<E\n',
    "<<'E'\n",
    '\nE\n',
    '${X:-',
    "$'",
    'case a in ',
    'esac',
    "sh -c '",
  )

  it('never contain a value in their text', () => {
    const scope = scopeOf({ D: '{"v":"SECRETVALUE"}' }, { w: { ...writer, stdout: 'SECRETVALUE' } })
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 40 }), (parts) => {
        const { text, env } = shellText(parts.join(''), scope)
        expect(text).not.toContain('SECRETVALUE')
        for (const name of Object.keys(env)) expect(text).toContain(name)
      }),
      { numRuns: 2_000 },
    )
  })

  it('stay unchanged when no name is known', () => {
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 40 }), (parts) => {
        expect(shellText(parts.join(''), scopeOf({})).text).toBe(parts.join(''))
      }),
    )
  })

  it('of one step share their generated variables', () => {
    const { texts, env } = shellTexts(
      ['echo ${D.a}', 'true', '${D.b}${D.a}'],
      scopeOf({ D: '{"a":1,"b":2}' }),
    )
    expect(texts).toEqual(['echo ${MILLRACE_VALUE_1}', 'true', '${MILLRACE_VALUE_2}${MILLRACE_VALUE_1}'])
    expect(env).toEqual({ MILLRACE_VALUE_1: '1', MILLRACE_VALUE_2: '2' })
  })

  it.each([
    ['open substitutions', '$('.repeat(500_000)],
    ['open braces', '${A.b'.repeat(200_000)],
    ['empty quotes', "''".repeat(500_000)],
    ['quoted references', "'${D.v}'".repeat(120_000)],
    ['here-documents', '<<a\n'.repeat(250_000)],
    ['here-documents in substitutions', '<<a\n$('.repeat(150_000)],
    ['backticks', '$(`'.repeat(300_000)],
    ['own names', 'MILLRACE_VALUE_X1_'.repeat(50_000)],
    ['cases', 'case a '.repeat(140_000)],
    ['slashes', '\\'.repeat(1_000_000)],
  ])('of a megabyte of %s are read within half a second', (_title, program) => {
    const spent = cpuTime()
    shellText(`${program} \${D.v}`, scopeOf({ D: '{"v":1}' }))
    expect(spent()).toBeLessThan(500)
  })
})
