import * as v from 'valibot'
import { setting } from './setting.ts'
import { serviceUrl } from './values.ts'

export const commandLineSettings = {
  MILLRACE_URL: setting(
    serviceUrl,
    'http://127.0.0.1:8080',
    'URL of the service for the command line.',
    'url',
  ),
  MILLRACE_API_KEY: setting(v.string(), '[none]', 'API key or token for the command line.', 'secret'),
  MILLRACE_USER: setting(v.string(), '[none]', 'User name for the command line, instead of a key.', 'text'),
  MILLRACE_PASSWORD: setting(v.string(), '[none]', 'Password for the command line.', 'secret'),
} as const
