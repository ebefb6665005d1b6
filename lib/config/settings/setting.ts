import type * as v from 'valibot'

/**
 * How much of a value others may see: all of a `text`; scheme, host and path of a `url`; for the others only whether it
 * is set. A `secret` also never appears in error messages and is hidden from steps.
 */
export type Privacy = 'text' | 'url' | 'hidden' | 'secret'

/** One setting. A default in brackets is computed at start. */
export interface Setting<S extends v.GenericSchema = v.GenericSchema> {
  readonly schema: S
  readonly default: string
  readonly description: string
  readonly privacy: Privacy
}

export const setting = <S extends v.GenericSchema<string, unknown>>(
  schema: S,
  fallback: string,
  description: string,
  privacy: Privacy = 'text',
): Setting<S> => ({ schema, default: fallback, description, privacy })
