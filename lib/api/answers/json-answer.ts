import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isLoopbackName } from '#lib/core/host-name.ts'
import { textDigest } from './text-digest.ts'

/** What a request says about the form of its answer. */
export interface AskedForm {
  readonly accept: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly takesGzip: boolean
  /** Whether the call only reads: its answer may be the same as before. */
  readonly isRead: boolean
}

/** Smaller answers are sent as they are: they fit into a packet or two. */
const gzipBytesMin = 2_048
const compress = promisify(gzip)

/** @param address of the caller; one on this machine gets no smaller answers, which would cost both more time */
export function formOf({ method, headers }: Request, address: string): AskedForm {
  const isHere = address === '::1' || isLoopbackName(address)
  return {
    accept: headers.get('accept') ?? undefined,
    ifNoneMatch: headers.get('if-none-match') ?? undefined,
    takesGzip: !isHere && acceptsGzip(headers.get('accept-encoding') ?? ''),
    isRead: method === 'GET' || method === 'HEAD',
  }
}

const acceptsGzip = (header: string): boolean =>
  header.split(',').some((coding) => {
    const [name = '', ...params] = coding.split(';').map((part) => part.trim().toLowerCase())
    return (name === 'gzip' || name === '*') && !params.some((param) => /^q=0(\.0*)?$/.test(param))
  })

/** A JSON text as an answer: with an entity tag when it was read, 304 when the caller has it already. */
export async function jsonAnswer(
  text: string,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  { ifNoneMatch, takesGzip, isRead }: AskedForm,
): Promise<Response> {
  if (isRead && status === 200 && !headers.has('etag')) {
    const tag = `"${textDigest(text)}"`
    // Weak, since the bytes differ when they are compressed.
    headers.set('etag', `W/${tag}`)
    if (isKnown(tag, ifNoneMatch)) return new Response(null, { status: 304, headers })
  }
  headers.set('content-type', 'application/json')
  if (text.length < gzipBytesMin) return new Response(text, { status, headers })
  headers.set('vary', 'accept-encoding')
  if (!takesGzip) return new Response(text, { status, headers })
  headers.set('content-encoding', 'gzip')
  return new Response(await compress(text, { level: 4 }), { status, headers })
}

const isKnown = (tag: string, ifNoneMatch = ''): boolean =>
  ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
