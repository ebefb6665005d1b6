import { AwsClient } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { messageOf, ServiceError } from '#lib/core/errors.ts'
import { accessKeys, type AccessKey, type KeySource } from './access-keys.ts'

/** A place in a bucket, with credentials. */
export interface S3Location {
  readonly bucket: string
  /** Prefix of every object name; empty, or ends with a slash. */
  readonly prefix: string
  /** Undefined: AWS in that region. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly credentials: AccessKey | KeySource
}

/** A part of a bucket of any S3-compatible service. Names consist of letters, digits and `/-_.`. */
export interface S3Bucket {
  readonly put: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Undefined when there is no such object. */
  readonly get: (name: string) => Promise<Uint8Array | undefined>
  /** Removes an object; a missing one is not an error. */
  readonly remove: (name: string) => Promise<void>
  /** Up to a thousand names with this prefix. */
  readonly list: (beginning: string) => Promise<string[]>
  /** In the form that the API shows: `s3://bucket/prefix`. */
  readonly url: string
}

const answerMsMax = 15_000

/**
 * Opens a bucket. With an endpoint of its own, the bucket is part of the path, which every service understands; at AWS
 * it is part of the host name. Every call throws ServiceError `service_unavailable` when the service fails.
 */
export function openBucket(location: S3Location): S3Bucket {
  const { bucket, prefix, endpoint, region, credentials } = location
  const keyNow = accessKeys(credentials)
  let known: { readonly key: AccessKey; readonly client: AwsClient } | undefined
  const clientNow = async (): Promise<AwsClient> => {
    const key = await keyNow().catch((cause: unknown) => {
      throw unavailable(`no key: ${messageOf(cause)}`, cause)
    })
    if (known?.key !== key) {
      const { sessionToken, ...lasting } = key
      const own = { ...lasting, ...(sessionToken !== undefined && { sessionToken }) }
      known = { key, client: new AwsClient({ ...own, service: 's3', region, retries: 2 }) }
    }
    return known.client
  }
  const base =
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com/`
      : `${endpoint.replace(/\/$/, '')}/${bucket}/`
  const ask = async (
    path: string,
    init: { method: string; body?: Uint8Array<ArrayBuffer> },
    fine: readonly number[],
  ): Promise<Response> => {
    const client = await clientNow()
    const digest = createHash('sha256')
      .update(init.body ?? '')
      .digest('hex')
    const signal = AbortSignal.timeout(answerMsMax)
    const headers = { 'x-amz-content-sha256': digest }
    const answer = await client.fetch(base + path, { ...init, headers, signal }).catch((cause: unknown) => {
      throw unavailable(`${init.method} had no answer`, cause)
    })
    if (fine.includes(answer.status)) return answer
    const [, code = ''] = /<Code>(\w{1,64})<\/Code>/.exec(await answer.text().catch(() => '')) ?? []
    throw unavailable(`${init.method} was answered with ${answer.status} ${code}`.trim())
  }
  return {
    url: `s3://${bucket}/${prefix}`,
    put: async (name, body) => {
      await drained(await ask(prefix + name, { method: 'PUT', body }, [200]))
    },
    get: async (name) => {
      const answer = await ask(prefix + name, { method: 'GET' }, [200, 404])
      if (answer.status === 200) return new Uint8Array(await answer.arrayBuffer().catch(failed))
      await drained(answer)
      return undefined
    },
    remove: async (name) => {
      await drained(await ask(prefix + name, { method: 'DELETE' }, [200, 204, 404]))
    },
    list: async (beginning) => {
      const query = new URLSearchParams({ 'list-type': '2', prefix: prefix + beginning })
      const text = await (await ask(`?${query.toString()}`, { method: 'GET' }, [200])).text().catch(failed)
      const names = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = '']) => name)
      return names.map((name) => name.slice(prefix.length))
    },
  }
}

/** An unread body would occupy its connection. */
async function drained(answer: Response): Promise<void> {
  await answer.arrayBuffer().catch(() => undefined)
}

function failed(cause: unknown): never {
  throw unavailable('an answer broke off', cause)
}

function unavailable(what: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', `the store of logs cannot be reached: ${what}`, { cause })
}
