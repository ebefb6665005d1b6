import { gunzipSync } from 'node:zlib'

/** A type in the format of the CDK database. */
interface SpecType {
  readonly type: string
  readonly element?: SpecType
  readonly types?: readonly SpecType[]
  readonly reference?: { readonly $ref: string }
  readonly allowedValues?: readonly string[]
}
interface Shape {
  readonly $id: string
  readonly name: string
  readonly properties: Readonly<Record<string, { readonly type: SpecType; readonly required?: boolean }>>
}
type Schema = Readonly<Record<string, unknown>>

const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
})
const text = { type: 'string' }
const texts = { type: 'array', items: text }
const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` })
const mapOf = (schema: Schema): Schema => ({ type: 'object', additionalProperties: schema })

/**
 * The JSON schema of templates with resources of the given types, from `db.json.gz` of `@aws-cdk/aws-service-spec`.
 * A value of any property may be a call of `Ref`, `Fn::Sub` or `Fn::GetAtt`.
 */
export function cloudFormationSchema(database: Uint8Array, types: readonly string[]): Schema {
  const { schema } = JSON.parse(gunzipSync(database).toString()) as {
    schema: Record<'resource' | 'typeDefinition', { entities: (Shape & { cloudFormationType?: string })[] }>
  }
  const shapes = new Map(schema.typeDefinition.entities.map((shape) => [shape.$id, shape]))
  const definitions: Record<string, Schema> = {
    Call: {
      type: 'object',
      minProperties: 1,
      ...object({ Ref: text, 'Fn::Sub': text, 'Fn::GetAtt': text }, { maxProperties: 1 }),
    },
    'AWS::Serverless::Function.EventSource': event,
  }
  const define = (name: string, shape: Shape, of: string): Schema => {
    if (!(name in definitions)) {
      definitions[name] = {}
      const properties = Object.entries(shape.properties)
      definitions[name] = object(
        Object.fromEntries(properties.map(([key, { type }]) => [key, orCall(type, of)])),
        { required: properties.flatMap(([key, { required }]) => (required === true ? [key] : [])) },
      )
    }
    return ref(name)
  }
  const orCall = (type: SpecType, of: string): Schema => ({ anyOf: [schemaOf(type, of), ref('Call')] })
  const schemaOf = (type: SpecType, of: string): Schema => {
    const inner = type.element === undefined ? {} : orCall(type.element, of)
    switch (type.type) {
      case 'array':
        return { type: 'array', items: inner }
      case 'map':
        return mapOf(inner)
      case 'union':
        return { anyOf: (type.types ?? []).map((one) => schemaOf(one, of)) }
      case 'ref': {
        const shape = shapes.get(type.reference?.$ref ?? '')
        if (shape === undefined) throw new Error(`no type ${JSON.stringify(type)}`)
        return define(`${of}.${shape.name}`, shape, of)
      }
      case 'json':
        return {}
      case 'tag':
        return object({ Key: text, Value: text })
      case 'date-time':
        return text
      default:
        return { type: type.type, ...(type.allowedValues && { enum: type.allowedValues }) }
    }
  }
  const resources = types.map((type) => {
    const shape = schema.resource.entities.find(({ cloudFormationType }) => cloudFormationType === type)
    if (shape === undefined) throw new Error(`no resource ${type}`)
    return object(
      { Type: { const: type }, Properties: define(type, shape, type), ...attributes },
      { required: ['Type'] },
    )
  })
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...template(resources), definitions }
}

const attributes = {
  Condition: text,
  DependsOn: { anyOf: [text, texts] },
  DeletionPolicy: { enum: ['Delete', 'Retain', 'RetainExceptOnCreate', 'Snapshot'] },
  UpdateReplacePolicy: { enum: ['Delete', 'Retain', 'Snapshot'] },
  Metadata: { type: 'object' },
}

const scalar = { type: ['string', 'number'] }

const parameter = object(
  {
    Type: {
      type: 'string',
      pattern: '^(String|Number|CommaDelimitedList|(List|AWS::SSM::Parameter::Value)<.+>|AWS::.+)$',
    },
    Default: scalar,
    Description: text,
    AllowedPattern: text,
    AllowedValues: { type: 'array', items: scalar },
    ConstraintDescription: text,
    MaxLength: { type: 'integer' },
    MinLength: { type: 'integer' },
    MaxValue: { type: 'number' },
    MinValue: { type: 'number' },
    NoEcho: { type: 'boolean' },
  },
  { required: ['Type'] },
)

const template = (resources: readonly Schema[]): Schema =>
  object(
    {
      AWSTemplateFormatVersion: { const: '2010-09-09' },
      Transform: { const: 'AWS::Serverless-2016-10-31' },
      Description: text,
      Parameters: mapOf(parameter),
      Globals: object({ Function: ref('AWS::Serverless::Function') }),
      Resources: mapOf({
        type: 'object',
        required: ['Type'],
        discriminator: { propertyName: 'Type' },
        oneOf: resources,
      }),
      Outputs: mapOf(
        object(
          {
            Value: { anyOf: [text, ref('Call')] },
            Description: text,
            Condition: text,
            Export: object({ Name: text }),
          },
          { required: ['Value'] },
        ),
      ),
    },
    { required: ['Resources'] },
  )

/** SAM's event `ScheduleV2`, which the database lacks: a schedule of EventBridge Scheduler. */
const event = object(
  {
    Type: { const: 'ScheduleV2' },
    Properties: object(
      {
        ...Object.fromEntries(
          [
            'Name',
            'Description',
            'GroupName',
            'Input',
            'RoleArn',
            'ScheduleExpression',
            'ScheduleExpressionTimezone',
            'StartDate',
            'EndDate',
          ].map((name) => [name, { anyOf: [text, ref('Call')] }]),
        ),
        State: { enum: ['ENABLED', 'DISABLED'] },
        RetryPolicy: object({
          MaximumEventAgeInSeconds: { type: 'integer', minimum: 60, maximum: 86_400 },
          MaximumRetryAttempts: { type: 'integer', minimum: 0, maximum: 185 },
        }),
      },
      { required: ['ScheduleExpression'] },
    ),
  },
  { required: ['Type', 'Properties'] },
)
