const whole = /^[-+]?(?:0|[1-9][0-9]*)$/
const based = /^0(?:x[0-9a-fA-F]+|o[0-7]+)$/
const fraction = /^[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

/**
 * The value of an unquoted scalar, by the core schema of YAML 1.2: null, true, false, numbers; everything else is text.
 * `yes`, `on` and numbers with leading zeros are text, because YAML parsers disagree about them.
 */
export function plainScalar(text: string): string | number | boolean | null {
  switch (text) {
    case '':
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return null
    case 'true':
    case 'True':
    case 'TRUE':
      return true
    case 'false':
    case 'False':
    case 'FALSE':
      return false
    default:
      return number(text) ?? text
  }
}

function number(text: string): number | undefined {
  if (text.length > 100 || !/^[-+.0-9]/.test(text)) return undefined
  return whole.test(text) || based.test(text) || fraction.test(text) ? Number(text) : undefined
}
