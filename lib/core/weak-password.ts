import { limits } from './limits.ts'

/** Words of the passwords that everybody tries first, without digits and signs, and what is put around them. */
const wellKnown = new Set(
  (
    'password passwort passwd pass admin administrator root toor user username guest test testing tester demo ' +
    'example sample default secret topsecret hidden token key apikey login letmein welcome changeme change changeit ' +
    'replaceme replace access master manager operator editor viewer service server system super superuser millrace ' +
    'millracer dagu postgres postgresql docker kubernetes qwerty qwertz qwertyuiop azerty asdf asdfgh asdfghjkl zxcv ' +
    'zxcvbn zxcvbnm qwe asd zxc qaz wsx edc abc abcd abcdef xxx foo bar foobar baz hunter iloveyou love monkey ' +
    'dragon football baseball superman batman sunshine princess shadow michael trustno starwars whatever ' +
    'freedom computer internet summer winter spring autumn the my your our me it now please new ' +
    'old is not very strong secure safe'
  ).split(' '),
)
const longestWord = Math.max(...[...wellKnown].map((word) => word.length))

const rows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
]
/** Pairs of characters that follow each other in a row, in either direction. */
const neighbours = new Set(
  rows.flatMap((row) =>
    Array.from(row)
      .slice(1)
      .flatMap((sign, index) => [`${row[index]}${sign}`, `${sign}${row[index]}`]),
  ),
)
const distinctMin = 4

/**
 * Why a password is too weak to protect anything; undefined: it may be used. Names the rule, never the password.
 * @param name of the user; undefined for a token
 */
export function passwordFault(password: string, name?: string): string | undefined {
  const length = Array.from(password).length
  if (length < limits.passwordLengthMin) return `must have at least ${limits.passwordLengthMin} characters`
  if (length > limits.passwordLengthMax) return `must have at most ${limits.passwordLengthMax} characters`
  const plain = password.normalize('NFKC').toLowerCase()
  if (new Set(plain).size < distinctMin) return `must have at least ${distinctMin} different characters`
  if (name !== undefined && isMadeOf(plain, name)) return 'must not be the user name, with or without digits'
  if (lettersOf(plain).some(isOfKnownWords)) return 'must not consist of common words only'
  if (isRun(plain.replaceAll(/[^\p{L}\p{N}]/gu, '')))
    return 'must not be a sequence of neighbouring characters'
  return undefined
}

/** The letters of a text as written, and with the usual digits and signs read as letters. */
function lettersOf(text: string): string[] {
  const letters = [...text.matchAll(/\p{L}/gu)]
  const end = (letters.at(-1)?.index ?? -1) + (letters.at(-1)?.[0].length ?? 1)
  const inner = text.slice(0, end).replace(/^[^\p{L}@$]+/u, '')
  const signs: Readonly<Record<string, string>> = {
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '@': 'a',
    $: 's',
    '!': 'i',
  }
  const folded = Array.from(inner)
    .map((sign) => signs[sign] ?? sign)
    .join('')
  const tail = Array.from(text)
    .map((sign) => signs[sign] ?? sign)
    .join('')
  return [inner, folded, tail].map((one) => one.replaceAll(/[^\p{L}]/gu, ''))
}

function isMadeOf(plain: string, name: string): boolean {
  const own = name.normalize('NFKC').toLowerCase()
  if (plain === own || plain === Array.from(own).toReversed().join('')) return true
  const letters = own.replaceAll(/[^\p{L}]/gu, '')
  return (
    letters.length > 2 && lettersOf(plain).some((one) => one !== '' && one.replaceAll(letters, '') === '')
  )
}

/** Whether most of a text only continues as a row of the alphabet or of the keyboard does: 12341234, abc123. */
function isRun(text: string): boolean {
  const signs = Array.from(text)
  const breaks = signs.slice(1).filter((sign, index) => {
    const before = signs[index]
    return sign !== before && !neighbours.has(`${before}${sign}`)
  })
  return signs.length > 0 && breaks.length * 4 <= signs.length
}

/** Whether a text can be cut into well-known words. */
function isOfKnownWords(text: string): boolean {
  if (text === '') return false
  const reached = new Set([0])
  for (let at = 0; at < text.length; at++) {
    if (!reached.has(at)) continue
    for (let size = 1; size <= longestWord && at + size <= text.length; size++) {
      if (wellKnown.has(text.slice(at, at + size))) reached.add(at + size)
    }
  }
  return reached.has(text.length)
}
