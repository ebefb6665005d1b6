/** What a reader without the right to edit sees instead of a secret. */
export const mask = '*****'

/** Whether any name of a secret occurs: whatever {@link isSecretName} accepts, and more. */
export const maybeSecret = /pass|key|secret|token|credential|auth|cookie|bearer|jwt|private|pwd/i

const words = new Set(['auth', 'authorization', 'cookie', 'bearer', 'jwt', 'private', 'pwd', 'passcode'])
const nameLengthMax = 256

/**
 * Whether a variable, a header or a field of this name holds a secret: DB_PASSWORD, apiKey, X-Auth-Token,
 * Authorization. `PWD` alone is the working directory.
 */
export function isSecretName(name: string): boolean {
  if (name.length > nameLengthMax || name === 'PWD' || !maybeSecret.test(name)) return false
  const parts = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return parts.some(
    (part) =>
      words.has(part) ||
      /(?:pass|keys?|passwds?|passphrases?)\d*$/.test(part) ||
      /passw|secret|token|credential/.test(part),
  )
}

/** Whether a text only names where the secret comes from: a variable, or the output of a command. */
export function isReference(text: string): boolean {
  return /^\$(?:\w+|\{\w+\}|\(.*\))$/s.test(text.trim())
}
