import { describe, expect, it } from 'vitest'
import { mergeParams } from '#lib/definition/params/merge-params.ts'
import { applyParamsSchema, paramsSchemaFaults } from '#lib/definition/params/params-schema.ts'
import { readParamText } from '#lib/definition/params/read-params.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

function faults(property: unknown, value: string): readonly string[] {
  const params = mergeParams([], [{ name: 'P', value }])
  return applyParamsSchema({ type: 'object', properties: { P: property } }, params).faults
}

describe('a param against its schema', () => {
  it.each([
    [{ type: 'integer' }, '12', []],
    [{ type: 'integer' }, '-3.0', []],
    [{ type: 'integer' }, '2.5', ['param P: must be an integer, is "2.5"']],
    [{ type: 'integer' }, 'abc', ['param P: must be an integer, is "abc"']],
    [{ type: 'integer' }, '', ['param P: must be an integer, is ""']],
    [{ type: 'number' }, '1e3', []],
    [{ type: 'number' }, '0x10', ['param P: must be a number, is "0x10"']],
    [{ type: 'boolean' }, 'true', []],
    [{ type: 'boolean' }, 'yes', ['param P: must be a boolean, is "yes"']],
    [{ type: 'string' }, '12', []],
    [{ type: ['integer', 'null'] }, '', []],
    [{ type: ['integer', 'null'] }, 'x', ['param P: must be an integer or empty, is "x"']],
    [{ minimum: 1, maximum: 9 }, '5', []],
    [{ type: 'integer', minimum: 1 }, '0', ['param P: must be at least 1, is 0']],
    [{ type: 'integer', maximum: 9 }, '10', ['param P: must be at most 9, is 10']],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, '0', ['param P: must be above 0, is 0']],
    [{ type: 'number', exclusiveMaximum: 1 }, '1', ['param P: must be below 1, is 1']],
    [{ type: 'number', multipleOf: 0.1 }, '0.3', []],
    [{ type: 'number', multipleOf: 5 }, '12', ['param P: must be a multiple of 5, is 12']],
    [{ type: 'string', minLength: 2, maxLength: 3 }, '🌱🌱', []],
    [{ type: 'string', minLength: 2 }, 'a', ['param P: must have at least 2 characters, is "a"']],
    [{ type: 'string', maxLength: 2 }, 'abc', ['param P: must have at most 2 characters, is "abc"']],
    [{ type: 'string', pattern: '^v[0-9]+$' }, 'v2', []],
    [{ type: 'string', pattern: '^v[0-9]+$' }, 'w2', ['param P: must match ^v[0-9]+$, is "w2"']],
    [{ enum: ['dev', 'prod', 3] }, 'dev', []],
    [{ enum: ['dev', 'prod', 3] }, '3', []],
    [{ enum: ['dev', 'prod'] }, 'test', ['param P: must be one of "dev", "prod", is "test"']],
    [{ const: 'x' }, 'x', []],
    [{ const: 1 }, '2', ['param P: must be 1, is "2"']],
    [{ type: 'array', items: { type: 'integer' }, minItems: 1 }, '[1,2]', []],
    [{ type: 'array', items: { type: 'integer' } }, '[1,"x"]', ['param P[1]: must be an integer, is "x"']],
    [{ type: 'array', minItems: 2 }, '[1]', ['param P: must have at least 2 items']],
    [{ type: 'array', maxItems: 0 }, '[1]', ['param P: must have at most 0 items']],
    [{ type: 'array' }, 'a,b', ['param P: must be an array, is "a,b"']],
    [{ type: 'object', required: ['k'], properties: { k: { type: 'integer' } } }, '{"k":1}', []],
    [{ type: 'object', required: ['k'] }, '{}', ['param P: k is required']],
    [
      { type: 'object', properties: { k: { type: 'integer' } } },
      '{"k":"x"}',
      ['param P.k: must be an integer, is "x"'],
    ],
    [{ type: 'object', additionalProperties: false }, '{"z":1}', ['param P.z: is not allowed']],
    [true, 'x', []],
    [false, 'x', ['param P: is not allowed']],
    [{ type: 'string', description: 'free' }, 'x', []],
  ])('%j checks %j: %j', (property, value, expected) => {
    expect(paramsSchemaFaults({ properties: { P: property } })).toEqual([])
    expect(faults(property, value)).toEqual(expected)
  })

  it('shortens long values', () => {
    expect(faults({ type: 'integer' }, 'x'.repeat(1_000))[0]).toHaveLength(93)
  })
})

describe('the params as a whole', () => {
  const schema = {
    type: 'object',
    properties: {
      HOST: { type: 'string' },
      PORT: { type: 'integer', default: 80 },
      ON: { default: { a: 1 } },
    },
    required: ['HOST'],
    additionalProperties: false,
  }

  it('get the defaults of the schema', () => {
    const { params, faults } = applyParamsSchema(
      schema,
      mergeParams(readParamText('HOST=a'), readParamText('HOST=b')),
    )
    expect(faults).toEqual([])
    expect(params).toEqual([
      { name: 'HOST', value: 'b', origin: 'given' },
      { name: 'PORT', value: '80', origin: 'default' },
      { name: 'ON', value: '{"a":1}', origin: 'default' },
    ])
  })

  it('need what is required and refuse what is unknown', () => {
    const { faults } = applyParamsSchema(schema, mergeParams([], readParamText('x PORT=a')))
    expect(faults).toEqual([
      'param HOST is required',
      "param 1 is not one of the schema's: HOST, PORT, ON",
      'param PORT: must be an integer, is "a"',
    ])
  })

  it('are not checked before they are expanded, unless they are given', () => {
    const params = mergeParams(readParamText('HOST=$X PORT=`p`'), readParamText('HOST=$Y'))
    expect(applyParamsSchema(schema, params, { unexpanded: true }).faults).toEqual([])
    expect(applyParamsSchema(schema, params).faults).toEqual(['param PORT: must be an integer, is "`p`"'])
  })

  it('may have other names where the schema does not forbid them', () => {
    const others = { additionalProperties: { type: 'integer' } }
    expect(applyParamsSchema(others, mergeParams([], readParamText('A=1 B=x'))).faults).toEqual([
      'param B: must be an integer, is "x"',
    ])
    expect(applyParamsSchema({}, mergeParams([], readParamText('A=1'))).faults).toEqual([])
  })
})

describe('a large param', () => {
  const names = Array.from({ length: 6_000 }, (_, index) => `name${index}`)
  const many = (item: string): string => `[${Array.from({ length: 60_000 }, () => item).join(',')}]`

  it.each([
    [
      'required names',
      { items: { type: 'object', required: names } },
      many('{}'),
      'has more than 100 faults',
    ],
    ['listed values', { items: { enum: names } }, many('1'), 'takes too long to be checked'],
    ['listed values that fit', { items: { enum: [...names, 1] } }, many('1'), undefined],
    ['a slow pattern', { type: 'string', pattern: '(a|b){500}[cd]' }, 'ab'.repeat(130_000), 'takes too long'],
  ])('is checked in time against %s', (_, schema, value, fault) => {
    const spent = cpuTime()
    const found = faults(schema, value)
    expect(spent()).toBeLessThan(1_000)
    if (fault === undefined) expect(found).toEqual([])
    else expect(found.join('\n')).toContain(fault)
  })

  it('names at most a hundred faulty params', () => {
    const params = mergeParams(
      [],
      Array.from({ length: 10_000 }, (_, index) => ({ name: `x${index}`, value: '' })),
    )
    const properties = Object.fromEntries(names.map((name) => [name, {}]))
    expect(applyParamsSchema({ properties, additionalProperties: false }, params).faults).toHaveLength(101)
  })
})

describe('the schema itself', () => {
  it.each([
    [{ type: 'array' }, ['the schema of params must have type object']],
    [{ oneOf: [] }, ['schema: the keyword "oneOf" is not offered']],
    [
      { properties: { P: { type: 'int' } } },
      [
        'schema.properties.P.type: must be one of ' +
          'string, integer, number, boolean, object, array, null, or a list of these',
      ],
    ],
    [{ properties: { P: { $ref: '#/x' } } }, ['schema.properties.P: the keyword "$ref" is not offered']],
    [{ properties: { P: 3 } }, ['schema.properties.P: must be a schema, a map of keywords']],
    [{ properties: [] }, ['schema.properties: must be a map of schemas']],
    [{ required: 'P' }, ['schema.required: must be a list of names']],
    [
      { properties: { P: { minimum: '1', minLength: -1, multipleOf: 0, enum: 'a' } } },
      [
        'schema.properties.P.minimum: must be a number',
        'schema.properties.P.minLength: must be a whole number from 0 on',
        'schema.properties.P.multipleOf: must be a number above 0',
        'schema.properties.P.enum: must be a list',
      ],
    ],
    [
      { properties: { P: { items: { pattern: '(' } } } },
      ['schema.properties.P.items.pattern: "(" is not a pattern (RE2 syntax): missing closing ): `(`'],
    ],
    [{ $schema: 'x', title: 't', properties: { P: { default: 1, format: 'email' } } }, []],
  ])('is checked: %j gives %j', (schema, expected) => {
    expect(paramsSchemaFaults(schema)).toEqual(expected)
  })

  it('with an invalid pattern refuses the param instead of throwing', () => {
    expect(faults({ type: 'string', pattern: '(' }, 'x')[0]).toContain('is not a pattern')
  })
})
