import { expect, test } from 'vitest'
import { faultsByField, paramFaults } from '#web/model/params-faults.ts'
import { boundsText, paramFields } from '#web/model/params-fields.ts'

const schema = (properties: Record<string, object>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
})
const fieldOf = (property: object, text?: string, required: string[] = []) =>
  paramFields({
    paramDefs: text === undefined ? [] : [{ name: 'A', default: text }],
    paramsSchema: schema({ A: property }, required),
  })[0]

test('params without a schema are text fields with their defaults, named or positional', () => {
  const fields = paramFields({
    paramDefs: [
      { position: 1, default: 'a b' },
      { name: 'DAY', default: 'today' },
      { name: 'TEXT', default: 'one\ntwo' },
    ],
  })
  expect(fields.map(({ name, value, kind }) => [name, value, kind])).toEqual([
    ['1', 'a b', 'text'],
    ['DAY', 'today', 'text'],
    ['TEXT', 'one\ntwo', 'lines'],
  ])
})

test('the schema decides the kind, and adds params without a default', () => {
  const fields = paramFields({
    paramDefs: [
      { name: 'SIZE', default: '3' },
      { name: 'PLAIN', default: '' },
    ],
    paramsSchema: schema(
      {
        SIZE: { type: 'integer', minimum: 1, maximum: 9, description: 'How many' },
        SURE: { type: 'boolean' },
        MODE: { enum: ['fast', 'slow'], default: 'slow' },
        RATE: { type: 'number', exclusiveMinimum: 0 },
      },
      ['SURE'],
    ),
  })
  expect(fields.map(({ name, value, kind }) => [name, value, kind])).toEqual([
    ['PLAIN', '', 'text'],
    ['SIZE', '3', 'number'],
    ['SURE', undefined, 'flag'],
    ['MODE', 'slow', 'choice'],
    ['RATE', undefined, 'number'],
  ])
  const size = fields[1]
  expect(size?.description).toBe('How many')
  expect(size && boundsText(size)).toBe('a whole number, 1 to 9')
})

test('an optional choice has an empty option, and an optional boolean is a choice', () => {
  expect(fieldOf({ enum: ['x', 'y'] })?.choices).toEqual(['', 'x', 'y'])
  expect(fieldOf({ enum: ['x', 'y'] }, 'x')?.choices).toEqual(['x', 'y'])
  expect(fieldOf({ enum: ['x', 'y'] }, '$WHICH')?.choices).toEqual(['$WHICH', 'x', 'y'])
  expect(fieldOf({ type: 'boolean' })).toMatchObject({ kind: 'choice', choices: ['', 'true', 'false'] })
})

test('a param with a computed default is a text field', () => {
  expect(fieldOf({ type: 'integer' }, '$COUNT')?.kind).toBe('text')
  expect(fieldOf({ type: 'boolean' }, '`is-it`')?.kind).toBe('text')
})

test('lengths and patterns are described', () => {
  const field = fieldOf({ type: 'string', minLength: 2, maxLength: 4, pattern: '^a' })
  expect(field && boundsText(field)).toBe('2 to 4 characters, fits ^a')
  const open = fieldOf({ type: 'number', minimum: 0 })
  expect(open && boundsText(open)).toBe('from 0')
})

test('faults are found before anything is sent', () => {
  const faultOf = (
    property: object,
    value: string | undefined,
    required: string[] = [],
  ): string | undefined => {
    const field = fieldOf(property, undefined, required)
    return field && paramFaults([field], value === undefined ? {} : { A: value }).get('A')
  }
  expect(faultOf({ type: 'string' }, undefined, ['A'])).toBe('is required')
  expect(faultOf({ type: 'string' }, '')).toBeUndefined()
  expect(faultOf({ type: 'integer' }, '1.5')).toBe('must be a whole number')
  expect(faultOf({ type: 'integer' }, 'x')).toBe('must be a whole number')
  expect(faultOf({ type: 'number' }, 'x')).toBe('must be a number')
  expect(faultOf({ type: 'number', minimum: 2 }, '1')).toBe('must be at least 2')
  expect(faultOf({ type: 'number', maximum: 2 }, '3')).toBe('must be at most 2')
  expect(faultOf({ type: 'string', minLength: 3 }, 'ab')).toBe('must have at least 3 characters')
  expect(faultOf({ type: 'string', maxLength: 3 }, 'abcd')).toBe('must have at most 3 characters')
  expect(faultOf({ type: 'boolean' }, undefined, ['A'])).toBeUndefined()
  const written = fieldOf({ type: 'integer', maximum: 3 }, '3')
  expect(written && paramFaults([written], { A: '' }).get('A')).toBe('must be a whole number')
})

test('faults from the service are assigned to their fields', () => {
  const fields = paramFields({
    paramDefs: [
      { name: 'SIZE', default: '' },
      { name: 'SIZE_MAX', default: '' },
      { name: 'DAY', default: '' },
    ],
  })
  const faults = ['param SIZE: must match ^a, is "b"', 'param DAY is required', 'param OTHER: x', 'too long']
  expect([...faultsByField(fields, faults)]).toEqual([
    ['SIZE', 'must match ^a, is "b"'],
    ['DAY', 'is required'],
  ])
})
