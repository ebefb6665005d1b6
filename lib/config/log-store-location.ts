import { resolve } from 'node:path'
import { bucketCredentials, type AwsVariables, type BucketCredentials } from './bucket-credentials.ts'

/** The log store that MILLRACE_LOG_STORE names. */
export type LogStoreLocation =
  | { readonly kind: 'postgres' }
  | { readonly kind: 'file'; readonly folder: string }
  | {
      readonly kind: 's3'
      readonly bucket: string
      /** Empty, or ends with a slash. */
      readonly prefix: string
      /** Undefined: the AWS endpoint of the region. */
      readonly endpoint: string | undefined
      readonly region: string
      readonly credentials: BucketCredentials
    }

export const logStoreForms =
  'must be postgres:, file:<folder> or s3://<bucket>/<prefix>?region=…&endpoint=http(s)://…'

/** Whether a text has the form of a log store URL. Needs no other settings. */
export function isLogStoreUrl(text: string): boolean {
  if (/^(file:.+|postgres:)$/.test(text)) return true
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || url.username !== '' || url.port !== '' || url.hash !== '') return false
  const { searchParams, host, pathname } = url
  if (![...searchParams.keys()].every((key) => key === 'region' || key === 'endpoint')) return false
  const endpoint = searchParams.get('endpoint')
  return (
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(host) &&
    /^[\w./-]*$/.test(pathname) &&
    /^[a-z0-9-]*$/.test(searchParams.get('region') ?? '') &&
    (endpoint === null || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
  )
}

/**
 * Parses a log store URL that {@link isLogStoreUrl} accepts.
 * @throws Error when the credentials of a bucket are missing, or would be requested over plain HTTP
 */
export function logStoreLocation(text: string, workingFolder: string, aws: AwsVariables): LogStoreLocation {
  if (text === 'postgres:') return { kind: 'postgres' }
  if (text.startsWith('file:')) {
    return { kind: 'file', folder: resolve(workingFolder, text.slice('file:'.length)) }
  }
  const { host, pathname, searchParams } = new URL(text)
  const prefix = pathname.split('/').filter((part) => part !== '')
  return {
    kind: 's3',
    bucket: host,
    prefix: prefix.map((part) => `${part}/`).join(''),
    endpoint: searchParams.get('endpoint') ?? undefined,
    region: searchParams.get('region') ?? aws.AWS_REGION ?? 'us-east-1',
    credentials: bucketCredentials(aws),
  }
}

/** The URL of the store, valid in any working directory. */
export function logStoreUrl(location: LogStoreLocation): string {
  if (location.kind === 'postgres') return 'postgres:'
  if (location.kind === 'file') return `file:${location.folder}`
  const query = new URLSearchParams({ region: location.region })
  if (location.endpoint !== undefined) query.set('endpoint', location.endpoint)
  return `s3://${location.bucket}/${location.prefix}?${query.toString()}`
}
