import type { Definition } from '#lib/definition/definition.ts'
import { writtenSecrets } from '#lib/definition/masking/mask-definition.ts'
import { isSecretName } from '#lib/definition/masking/secret-names.ts'
import { secretLengthMin } from '#lib/definition/masking/secret-values.ts'
import { masked } from './mask.ts'
import { secretForms } from './secret-forms.ts'

export type ErrorMask = (text: string) => string

/**
 * Creates the function that masks errors of a run. Errors quote values and are shown to readers who may not see the
 * secrets of the file, so those are masked too. Nothing is computed before the first error.
 * @param env the evaluated `env` of the file
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
