import type { ConnectConfig, ServerHostKeyAlgorithm } from 'ssh2'
import type { SshConfig } from '#lib/definition/schema/ssh.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { readStepFile } from '#lib/files/read-step-file.ts'
import { knownKeys } from './known-hosts.ts'
import { pathOf } from './path-of.ts'
import { readUsualFile } from './usual-file.ts'

const usualFiles = ['~/.ssh/known_hosts', '/etc/ssh/ssh_known_hosts']

export interface Trust {
  readonly options: Pick<ConnectConfig, 'algorithms' | 'hostVerifier'>
  /** Explains an error that is about the host key. */
  readonly explain: (error: Error) => string | undefined
}

/**
 * Accepts only known host keys, unless the step disables the check.
 * @throws Error when no key is known for the machine
 */
export function trustOf(
  config: SshConfig,
  { host, port }: { readonly host: string; readonly port: number },
  folder: string,
  bounds: readonly FileBound[] = [],
): Trust {
  if (config.strictHostKey === false) return { options: {}, explain: () => undefined }
  const files = config.knownHostFile === undefined ? usualFiles : [config.knownHostFile]
  const texts =
    config.knownHostFile === undefined
      ? usualFiles.map((file) => readUsualFile(file, 'known hosts'))
      : [readStepFile(pathOf(config.knownHostFile, folder), { what: 'knownHostFile', bounds })]
  const keys = knownKeys(texts.join('\n'), host, port).filter(({ type }) => algorithms.has(type))
  if (keys.length === 0) {
    throw new Error(
      `no key of ${host}:${port} is known in ${files.join(' or ')}; add it there (ssh-keyscan), ` +
        'or set strictHostKey: false',
    )
  }
  let isWrong = false
  const hostVerifier = (shown: Buffer): boolean => {
    isWrong = !keys.some(({ key }) => key.equals(shown))
    return !isWrong
  }
  const explain = (error: Error): string | undefined => {
    if (isWrong)
      return `the machine shows another key than the one in ${files.join(' or ')}: it is not trusted`
    return error.message.includes('no matching host key')
      ? `the machine has no key of the kinds that are known in ${files.join(' or ')}`
      : undefined
  }
  // A server has several keys; it is asked for one that is known.
  const serverHostKey = [...new Set(keys.flatMap(({ type }) => algorithms.get(type) ?? []))]
  return { options: { algorithms: { serverHostKey }, hostVerifier }, explain }
}

const algorithms: ReadonlyMap<string, readonly ServerHostKeyAlgorithm[]> = new Map([
  ['ssh-ed25519', ['ssh-ed25519']],
  ['ecdsa-sha2-nistp256', ['ecdsa-sha2-nistp256']],
  ['ecdsa-sha2-nistp384', ['ecdsa-sha2-nistp384']],
  ['ecdsa-sha2-nistp521', ['ecdsa-sha2-nistp521']],
  ['ssh-rsa', ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa']],
])
