import type * as v from 'valibot'

/**
 * What others may see of a value: all of a `text`; scheme, host and path of a `url`; of the others only that they are
 * set. A `secret` also appears in no error message, and no process shows it to steps.
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
