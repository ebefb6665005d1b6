/** Size of a hostile text in characters. */
export const hostileSize = 1_048_576

const units = {
  'line feeds': '\n',
  'carriage returns': '\r',
  'DOS line breaks': '\r\n',
  blanks: ' ',
  tabs: '\t',
  'double quotes': '"',
  'single quotes': "'",
  backticks: '`',
  backslashes: '\\',
  'escaped quotes': '\\"',
  'quotes and backslashes': '"\\',
  dollars: '$',
  'open variables': '${',
  'open defaults': '${A:-',
  variables: '$A',
  paths: '${A.a}',
  'open paths': '${A["',
  'slices past the end': '${A:999999999:1}',
  'closing braces': '}',
  'open braces': '{',
  'open brackets': '[',
  'brackets and quotes': '["',
  'open objects': '{"a":',
  parentheses: '(',
  'open substitutions': '$(',
  'here-documents': '<<a\n',
  digits: '0',
  commas: ',',
  semicolons: ';',
  colons: ':',
  slashes: '/',
  dots: '.',
  stars: '*',
  dashes: '-',
  underscores: '_',
  'equals signs': '=',
  'hash signs': '#',
  'percent signs': '%',
  'question marks': '?',
  'open tags': '<a',
  'closing tags': '>',
  'at signs': 'a@',
  letters: 'a',
  words: 'a ',
  names: 'a=',
  'quoted names': 'a="',
  lines: 'a\n',
  assignments: 'A=b\n',
  'open assignments': 'A="\n',
  comments: '#a\n',
  'letters and blanks': `${'a '.repeat(20)}\t`,
  'halves of surrogate pairs': '\ud800',
  'programs of an inner shell': "sh -c '$x #' ",
  'quoted words of a program': "su '$x' ",
  'quoted words of an option': "sh -a '$x' ",
  'quoted words of a database': "sqlite3 '$x' ",
  'open cases': 'case a ',
  'quoted here-documents': "<<'a ",
  'backticks in substitutions': '$(`',
  'pairs of surrogates': '\u{1f331}',
  'combining characters': 'e\u0301',
} as const

const full = (unit: string): string => unit.repeat(Math.ceil(hostileSize / unit.length)).slice(0, hostileSize)

/** One text of a mebibyte per kind; line breaks, blanks, quotes and backslashes also between letters. */
export const hostileTexts: readonly (readonly [title: string, text: string])[] = [
  ...Object.entries(units).map(([title, unit]) => [title, full(unit)] as const),
  ...Object.entries(units)
    .slice(0, 11)
    .map(([title, unit]) => [`${title} between letters`, `GET ${full(unit)} x`] as const),
]

/** Milliseconds that a parser may take: 50, or the time of eight linear passes on this machine. */
export async function hostileMsMax(): Promise<number> {
  const text = '$a'.repeat(hostileSize / 2)
  const pass = await leastTime(() => text.replaceAll(/[$]/g, () => ''), 1)
  return Math.max(50, Math.round(pass * 8))
}

/**
 * The minimum CPU time of up to eight calls, in milliseconds, which other load hardly affects. Stops once a call takes
 * at most `enoughMs`.
 */
export async function leastTime(work: () => unknown, enoughMs: number): Promise<number> {
  let least = Infinity
  for (let count = 0; count < 8 && least > enoughMs; count++) {
    const start = process.threadCpuUsage()
    try {
      await work()
    } catch {
      // Refusing the text is fine.
    }
    const { user, system } = process.threadCpuUsage(start)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
