import { readFile } from 'node:fs/promises'
import * as v from 'valibot'

export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

/** Where a platform serves the keys of a container's role. */
export interface KeySource {
  readonly url: string
  /** Authorizes the request. A token in a file may change. */
  readonly token: string | undefined
  readonly tokenFile: string | undefined
}

const answerMsMax = 5_000
/** How long before its expiry a key is replaced, milliseconds, so that signed requests in flight remain valid. */
const renewMs = 300_000
/** Minimum time between two requests while a key is valid, milliseconds. */
const pauseMs = 10_000

const Answer = v.pipe(
  v.object({
    AccessKeyId: v.string(),
    SecretAccessKey: v.string(),
    Token: v.string(),
    Expiration: v.pipe(v.string(), v.transform(Date.parse), v.number()),
  }),
  v.transform(({ AccessKeyId, SecretAccessKey, Token, Expiration }) => ({
    key: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token },
    endsAt: Expiration,
  })),
)
type Lent = v.InferOutput<typeof Answer>

/**
 * Returns a function that resolves to a currently valid key. Keys of a container (ECS, EKS Pod Identity) expire; they
 * are replaced five minutes before. When the source does not answer then, it is asked again while the last key is
 * valid. The protocol: https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 * @returns a function that throws an Error without any content of the answer
 */
export function accessKeys(source: AccessKey | KeySource): () => Promise<AccessKey> {
  if ('accessKeyId' in source) return () => Promise.resolve(source)
  let lent: Lent | undefined
  let asking: Promise<Lent> | undefined
  let renewAt = 0
  return async () => {
    if (lent !== undefined && Date.now() < renewAt) return lent.key
    asking ??= ask(source).finally(() => (asking = undefined))
    try {
      lent = await asking
    } catch (error) {
      if (lent === undefined || lent.endsAt <= Date.now()) throw error
    }
    renewAt = Math.min(lent.endsAt, Math.max(lent.endsAt - renewMs, Date.now() + pauseMs))
    return lent.key
  }
}

async function ask({ url, token, tokenFile }: KeySource): Promise<Lent> {
  const shown = tokenFile === undefined ? token : (await readFile(tokenFile, 'utf8')).trim()
  const answer = await fetch(url, {
    headers: shown === undefined ? {} : { authorization: shown },
    redirect: 'error',
    signal: AbortSignal.timeout(answerMsMax),
  })
  if (!answer.ok) {
    await answer.body?.cancel()
    throw new Error(`${url} answered with ${answer.status}`)
  }
  const reading = v.safeParse(Answer, await answer.json().catch(() => undefined))
  if (!reading.success) throw new Error(`${url} answered with something else than a key`)
  return reading.output
}
