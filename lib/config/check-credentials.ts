import { passwordFault } from '#lib/core/weak-password.ts'
import type { SettingValues } from './settings/all.ts'

/** Faults of the credentials in the settings. The messages never contain the credential. */
export function credentialFaults(values: SettingValues): string[] {
  const {
    MILLRACE_AUTH_BASIC_USERNAME: username,
    MILLRACE_AUTH_BASIC_PASSWORD: password,
    MILLRACE_AUTH_TOKEN: token,
    MILLRACE_TICK_TOKEN: tickToken,
  } = values
  const faults: string[] = []
  if ((username === undefined) !== (password === undefined)) {
    faults.push('MILLRACE_AUTH_BASIC_USERNAME, MILLRACE_AUTH_BASIC_PASSWORD: one is set without the other')
  }
  const add = (name: string, secret: string | undefined, owner?: string): void => {
    const fault = secret === undefined ? undefined : passwordFault(secret, owner)
    if (fault !== undefined) faults.push(`${name}=…: ${fault}`)
  }
  add('MILLRACE_AUTH_BASIC_PASSWORD', password, username)
  add('MILLRACE_AUTH_TOKEN', token)
  add('MILLRACE_TICK_TOKEN', tickToken)
  if (tickToken !== undefined && tickToken === token) {
    faults.push('MILLRACE_TICK_TOKEN=…: must not be MILLRACE_AUTH_TOKEN, which allows everything')
  }
  return faults
}

/** Refuses the Node variable that turns off all certificate verification. */
export function tlsFaults(environment: Readonly<Record<string, string | undefined>>): string[] {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return []
  return [
    'NODE_TLS_REJECT_UNAUTHORIZED="0": no certificate would be verified, that of the database included; unset it, ' +
      'and trust a certificate by NODE_EXTRA_CA_CERTS (everywhere), sslrootcert in DATABASE_URL (the database) or ' +
      'skipTLSVerify (one http step)',
  ]
}
