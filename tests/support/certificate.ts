import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** A certificate for `localhost` that signs itself. @returns its file, beside which is its key, with the end .key */
export function certificate(folder: string, name: string): string {
  const file = join(folder, `${name}.crt`)
  const how = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost'
  const files = ['-keyout', join(folder, `${name}.key`), '-out', file]
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', ['req', ...how.split(' '), ...files, ...names], { stdio: 'ignore' })
  return file
}
