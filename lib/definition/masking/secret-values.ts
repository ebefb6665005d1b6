import { mask } from './secret-names.ts'

/** Shorter secrets occur by chance. */
export const secretLengthMin = 6
const valuesMax = 100

/** Secrets that were found, to replace them where they are written once more. */
export class SecretValues {
  readonly #values = new Set<string>()
  #sorted: string[] | undefined

  /** Each line of a secret is one. */
  add(secret: string): void {
    for (const line of secret.split('\n')) {
      const value = line.trim()
      if (value.length >= secretLengthMin && this.#values.size < valuesMax) this.#values.add(value)
    }
    this.#sorted = undefined
  }

  /** The longest first: a secret may be a part of another. */
  all(): readonly string[] {
    this.#sorted ??= [...this.#values].toSorted((one, other) => other.length - one.length)
    return this.#sorted
  }

  replace(text: string): string {
    return this.all().reduce((shown, value) => shown.replaceAll(value, () => mask), text)
  }
}
