import type { ParamField } from './params-fields.ts'
import type { ParamValues } from './params-text.ts'

/** Faults by the name of their field. */
export type ParamFaults = ReadonlyMap<string, string>

/** Checks values before they are sent. Patterns use RE2, so the service checks them. */
export function paramFaults(fields: readonly ParamField[], values: ParamValues): ParamFaults {
  return new Map(
    fields.flatMap((field): [string, string][] => {
      const value = values[field.name] ?? field.value
      const fault = faultOf(field, value)
      return fault === undefined ? [] : [[field.name, fault]]
    }),
  )
}

function faultOf({ kind, isRequired, value: written, bounds }: ParamField, value = ''): string | undefined {
  if (kind === 'flag') return undefined
  if (value === '' && isRequired) return 'is required'
  // Optional fields without a value are not sent; the service has already checked unchanged defaults.
  if (value === written || (value === '' && written === undefined)) return undefined
  if (kind === 'number') return numberFault(bounds, value)
  const { length } = Array.from(value)
  const { minLength = 0, maxLength = Infinity } = bounds
  if (length < minLength) return `must have at least ${minLength} characters`
  return length > maxLength ? `must have at most ${maxLength} characters` : undefined
}

function numberFault({ isWhole, min, max }: ParamField['bounds'], text: string): string | undefined {
  const value = text.trim() === '' ? NaN : Number(text)
  if (!Number.isFinite(value)) return `must be a ${isWhole ? 'whole ' : ''}number`
  if (isWhole && !Number.isInteger(value)) return 'must be a whole number'
  if (min !== undefined && value < min) return `must be at least ${min}`
  return max !== undefined && value > max ? `must be at most ${max}` : undefined
}

/**
 * Assigns the faults that the service found to their fields.
 * @param faults sentences as `param SIZE: must be at most 3, is 4` and `param SIZE is required`
 */
export function faultsByField(fields: readonly ParamField[], faults: readonly string[]): ParamFaults {
  const found = new Map<string, string>()
  for (const fault of faults) {
    const field = fields
      .filter(({ name }) => fault.startsWith(`param ${name}:`) || fault.startsWith(`param ${name} `))
      .toSorted((one, other) => other.name.length - one.name.length)[0]
    if (field === undefined || found.has(field.name)) continue
    found.set(field.name, fault.slice(`param ${field.name}`.length).replace(/^:?\s*/, ''))
  }
  return found
}
