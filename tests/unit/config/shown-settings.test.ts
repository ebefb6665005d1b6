import { expect, test } from 'vitest'
import { secretSettings, settings } from '#lib/config/settings/all.ts'
import { shownSettings } from '#lib/config/settings/shown.ts'

const find = (environment: Record<string, string>, name: string) =>
  shownSettings(environment).find((setting) => setting.name === name)

test('every setting is shown once, in the order of the documentation', () => {
  expect(shownSettings({}).map(({ name }) => name)).toEqual(Object.keys(settings))
})

test('a secret is shown as set, without its value', () => {
  const everything = Object.fromEntries(Object.keys(settings).map((name) => [name, 'hunter2-of-the-test']))
  const shown = shownSettings(everything)
  expect(shown.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(
    expect.arrayContaining([...secretSettings]),
  )
  for (const { isSecret, value, source } of shown) {
    expect(source).toBe('environment')
    if (isSecret) expect(value).toBe('')
  }
})

test('a URL is shown without login and query, and an invalid URL is not shown', () => {
  const of = (value: string) =>
    find({ OTEL_EXPORTER_OTLP_ENDPOINT: value }, 'OTEL_EXPORTER_OTLP_ENDPOINT')?.value
  expect(of('https://user:hunter2@traces.example:4318/v1?key=hunter2#hunter2')).toBe(
    'https://traces.example:4318/v1',
  )
  expect(of('hunter2')).toBe('')
})

test('a log store is shown with its folder or bucket', () => {
  const of = (value: string) => find({ MILLRACE_LOG_STORE: value }, 'MILLRACE_LOG_STORE')?.value
  expect(of('file:logs')).toBe('file:logs')
  expect(of('postgres:')).toBe('postgres:')
  expect(of('s3://bucket/prefix?region=eu&endpoint=http://key:hunter2@minio')).toBe('s3://bucket/prefix')
})

test('a setting that is not given has its default, and a computed one has none', () => {
  expect(find({}, 'MILLRACE_PORT')).toMatchObject({ value: '8080', default: '8080', source: 'default' })
  expect(find({ MILLRACE_PORT: ' ' }, 'MILLRACE_PORT')).toMatchObject({ source: 'default' })
  expect(find({}, 'MILLRACE_DAGS_DIR')).toMatchObject({ value: '', default: 'none' })
})
