import ssh2, { type AnyAuthMethod } from 'ssh2'
import type { SshConfig } from '#lib/definition/schema/ssh.ts'
import { isKeyText } from '#lib/definition/step/ssh-key.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { readStepFile } from '#lib/files/read-step-file.ts'
import { pathOf } from './path-of.ts'
import { readUsualFile } from './usual-file.ts'

const usualKeys = ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => `~/.ssh/${name}`)

/**
 * Login methods in the order in which they are tried: the key of the step; without one (and without a password) the
 * usual keys of the runner's user; then the password.
 * @throws Error when there is none, or the key of the step is unusable
 */
export function loginMethods(
  { key, password }: SshConfig,
  username: string,
  folder: string,
  bounds: readonly FileBound[] = [],
): AnyAuthMethod[] {
  const hasKey = key !== undefined && key !== ''
  const keys = hasKey ? [readGivenKey(key, folder, bounds)] : password === undefined ? readUsualKeys() : []
  const methods: AnyAuthMethod[] = keys.map((one) => ({ type: 'publickey', username, key: one }))
  if (password !== undefined) {
    methods.push(
      { type: 'password', username, password },
      {
        type: 'keyboard-interactive',
        username,
        // Servers that prompt themselves (PAM) ask for the password with echo off.
        prompt: (_name, _instructions, _language, prompts, finish) =>
          finish(prompts.map(({ echo }) => (echo === true ? '' : password))),
      },
    )
  }
  if (methods.length > 0) return methods
  throw new Error(`ssh needs key or password: there is no key of use in ${usualKeys.join(', ')}`)
}

/** @param key a path, or the text of a key */
function readGivenKey(key: string, folder: string, bounds: readonly FileBound[]): string {
  const isText = isKeyText(key)
  const name = isText ? 'the key of the step' : `the key ${key}`
  const text = isText ? key : readStepFile(pathOf(key, folder), { what: 'key', bounds }).toString('utf8')
  const fault = faultOf(text)
  if (fault !== undefined) throw new Error(`${name} ${fault}`)
  return text
}

function readUsualKeys(): string[] {
  return usualKeys.map((path) => readUsualFile(path, 'key')).filter((text) => faultOf(text) === undefined)
}

function faultOf(text: string): string | undefined {
  const parsed = ssh2.utils.parseKey(text)
  if (parsed instanceof Error) {
    const isLocked = /passphrase|encrypted/i.test(parsed.message)
    return isLocked ? 'has a passphrase, which steps cannot give' : 'is no private key'
  }
  return parsed.isPrivateKey() ? undefined : 'is a public key, the private one is needed'
}
