import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/**
 * From OWASP's Password Storage Cheat Sheet: N = 2^15, r = 8, p = 3. Takes 32 MiB and a few tenths of a second of one
 * core.
 */
const cost = { N: 32_768, r: 8, p: 3 }
const saltBytes = 16
const digestBytes = 32

/** Passwords are normalised to NFC, because keyboards differ (RFC 8265). */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFC'), 'utf8')

/** @returns `scrypt$N$r$p$salt$digest`, with base64url */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const digest = await derive(password, salt, cost)
  const parts = [cost.N, cost.r, cost.p, salt.toString('base64url'), digest.toString('base64url')]
  return `scrypt$${parts.join('$')}`
}

/**
 * Whether a password matches a hash. Takes the same time without a hash, so that the time does not reveal which users
 * exist.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, n, r, p, salt = '', digest = ''] = (hash ?? '').split('$')
  const settings = hash === undefined ? cost : { N: Number(n), r: Number(r), p: Number(p) }
  const given = await derive(password, Buffer.from(salt, 'base64url'), settings)
  const expected = Buffer.from(digest, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function derive(password: string, salt: Buffer, { N = 0, r = 0, p = 0 }: ScryptOptions): Promise<Buffer> {
  const maxmem = 256 * N * r
  return new Promise((resolve, reject) => {
    scrypt(bytesOf(password), salt, digestBytes, { N, r, p, maxmem }, (error, digest) => {
      if (error === null) resolve(digest)
      else reject(error)
    })
  })
}
