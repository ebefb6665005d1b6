import { describe, expect, test } from 'vitest'
import { deploymentOf } from '#functions/api/deployment-of.ts'
import { applySettings } from '#lib/app/apply-settings.ts'
import { readConfig } from '#lib/config/config.ts'
import { secretSettings } from '#lib/config/settings/all.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const word = 'Xq7hunter2otter9Zk'
const environment = {
  MILLRACE_DATA_DIR: '/tmp/nowhere',
  DATABASE_URL: `postgres://app:${word}@db.example/app?options=${word}`,
  MILLRACE_DATABASE_DIRECT_URL: `postgres://app:${word}@db.example/app`,
  MILLRACE_LOG_STORE: `s3://bucket/p?endpoint=https://user:${word}@minio.example`,
  AWS_ACCESS_KEY_ID: word,
  AWS_SECRET_ACCESS_KEY: word,
  AWS_SESSION_TOKEN: word,
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: `/v2/${word}`,
  AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://169.254.170.23/${word}`,
  AWS_CONTAINER_AUTHORIZATION_TOKEN: word,
  OTEL_EXPORTER_OTLP_ENDPOINT: `https://user:${word}@traces.example`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${word}`,
  MILLRACE_AUTH_BASIC_USERNAME: 'ann',
  MILLRACE_AUTH_BASIC_PASSWORD: word,
  MILLRACE_AUTH_TOKEN: word,
  MILLRACE_TICK_TOKEN: `tick-${word}`,
  MILLRACE_URL: `http://user:${word}@127.0.0.1:8080`,
  MILLRACE_API_KEY: word,
  MILLRACE_PASSWORD: word,
  MILLRACE_QUEUES: 'nightly=2',
  MILLRACE_TZ: 'Europe/Berlin',
}
const config = readConfig(environment)
const full = api.with({ auth: config.auth, deployment: deploymentOf({ config, db }) })
const asAdmin = { authorization: `Bearer ${word}` }
const get = (path: string) => full.call<{ settings: { name: string }[] }>('GET', path, { headers: asAdmin })
const setting = async (name: string) =>
  (await get('/system/settings')).body.settings.find((one) => one.name === name)

describe('200', () => {
  test('no answer holds a secret or a part of one', async () => {
    expect(secretSettings.filter((name) => !Object.keys(environment).includes(name))).toEqual([])
    for (const path of [
      '/system',
      '/system/settings',
      '/system/nodes',
      '/session',
      '/users',
      '/api-keys',
      '/audit',
    ]) {
      const answer = await get(path)
      expect({ path, status: answer.status }).toEqual({ path, status: 200 })
      expect(JSON.stringify(answer.body)).not.toContain(word)
      expect(JSON.stringify(answer.body)).not.toContain(encodeURIComponent(word))
    }
  })

  test('a secret is listed as set, without its value', async () => {
    expect(await setting('MILLRACE_AUTH_TOKEN')).toMatchObject({
      value: '',
      isSecret: true,
      source: 'environment',
    })
  })

  test('each setting names its source: the environment, a default, or the database', async () => {
    expect(await setting('MILLRACE_DATA_DIR')).toMatchObject({ value: '/tmp/nowhere', source: 'environment' })
    expect(await setting('MILLRACE_PORT')).toMatchObject({ value: '8080', source: 'default' })
    const log = createLog({ level: 'silent', part: 'tick' })
    await applySettings({ config, db, log, defaults: { zone: 'Asia/Tokyo' }, part: 'tick' }, 'all')
    expect(await setting('MILLRACE_TZ')).toMatchObject({
      value: 'Asia/Tokyo',
      source: 'database',
      appliedBy: expect.stringMatching(/^tick on /),
    })
    expect(await setting('MILLRACE_BASE_CONFIG')).toMatchObject({ value: 'the default', source: 'database' })
  })
})
