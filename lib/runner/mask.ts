/** What a secret is replaced by, in logs and everywhere else. */
const mask = '*******'

/** Replaces secrets in a text. Empty values mask nothing. */
export function masked(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (masking, secret) => (secret === '' ? masking : masking.replaceAll(secret, mask)),
    text,
  )
}
