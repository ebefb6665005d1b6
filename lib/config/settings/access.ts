import { isIP } from 'node:net'
import * as v from 'valibot'
import { setting } from './setting.ts'
import { switchText, list, token, username, hostNames } from './values.ts'

export const accessSettings = {
  MILLRACE_AUTH_BASIC_USERNAME: setting(
    username,
    '[none]',
    'User name for basic authentication, together with the password.',
    'text',
  ),
  MILLRACE_AUTH_BASIC_PASSWORD: setting(
    v.string(),
    '[none]',
    'Password for basic authentication: at least 8 characters, no common words, not the user name.',
    'secret',
  ),
  MILLRACE_AUTH_TOKEN: setting(
    token,
    '[none]',
    'Bearer token that gives full access: at least 16 characters, for example from openssl rand -hex 24.',
    'secret',
  ),
  MILLRACE_TICK_TOKEN: setting(
    token,
    '[none]',
    'Bearer token for an external scheduler; it allows POST /tick and nothing else.',
    'secret',
  ),
  MILLRACE_ALLOW_ANONYMOUS: setting(
    switchText,
    'false',
    'Set to true to let an API without credentials listen beyond this machine.',
    'text',
  ),
  MILLRACE_ALLOWED_HOSTS: setting(
    hostNames,
    '[with credentials any, else loopback names]',
    'Hosts that the API answers to besides loopback names, separated by commas; * allows any host and is unsafe.',
    'text',
  ),
  MILLRACE_TRUSTED_PROXIES: setting(
    v.pipe(
      v.string(),
      v.transform(list),
      v.check((entries) => entries.every((entry) => isIP(entry) !== 0), 'must be addresses'),
    ),
    '[none]',
    'Addresses of proxies whose X-Forwarded-For is trusted, separated by commas.',
    'text',
  ),
} as const
