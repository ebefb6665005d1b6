import type { Definition } from '#lib/definition/definition.ts'
import { writtenSecrets } from '#lib/definition/masking/mask-definition.ts'
import { isSecretName } from '#lib/definition/masking/secret-names.ts'
import { secretLengthMin } from '#lib/definition/masking/secret-values.ts'
import { masked } from './mask.ts'
import { secretForms } from './secret-forms.ts'

export type ErrorMask = (text: string) => string

/**
 * Makes the function that masks errors of a run. Readers who may not see the secrets that a file holds see its errors,
 * which quote values; so these are masked too. Nothing is computed before the first error.
 * @param env variables of the file, evaluated
 */
export function errorMask(
  maskedValues: readonly string[],
  definition: Definition,
  env: readonly { readonly name: string; readonly value: string }[] = [],
): ErrorMask {
  let texts: readonly string[] | undefined
  return (text) => {
    if (text === '') return text
    texts ??= [...maskedValues, ...secretForms([...writtenSecrets(definition).all(), ...secretsOf(env)])]
    return masked(text, texts)
  }
}

function secretsOf(env: readonly { readonly name: string; readonly value: string }[]): string[] {
  return env
    .filter(({ name, value }) => value.length >= secretLengthMin && isSecretName(name))
    .map(({ value }) => value)
}
