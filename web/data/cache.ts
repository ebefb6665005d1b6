import {
  InfiniteQueryObserver,
  QueryObserver,
  type InfiniteQueryObserverOptions,
  type QueryKey,
} from '@tanstack/query-core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { pollMs } from '../model/poll-pace.ts'
import { useData } from './page-data.ts'

export interface Reading<T> {
  readonly data: T | undefined
  /** Of the last try; old data stays beside it. */
  readonly error: Error | undefined
  /** When `data` was answered. */
  readonly atMs: number
  readonly again: () => void
}

/** `false`: asked once. `true`: by the common pace. A number: milliseconds. */
export type Poll<T> = boolean | number | ((data: T | undefined) => boolean | number)

interface Asked {
  readonly state: {
    readonly data: unknown
    readonly dataUpdatedAt: number
    readonly fetchFailureCount: number
  }
}

/** When the same data was first seen: unchanged answers keep their identity. */
function createPace(): (query: Asked, poll: boolean | number) => number | false {
  let seen: unknown
  let sinceMs = Date.now()
  return ({ state }, poll) => {
    if (state.data !== seen) [seen, sinceMs] = [state.data, Date.now()]
    const unchangedMs = Date.now() - sinceMs
    if (poll === false) return false
    return Math.max(poll === true ? 0 : poll, pollMs({ unchangedMs, failures: state.fetchFailureCount }))
  }
}

/** Reads something of the service, and keeps it fresh while somebody looks. */
export function useQuery<T>(
  key: QueryKey,
  read: () => Promise<T>,
  poll: Poll<T> = false,
  enabled = true,
): Reading<T> {
  const { cache } = useData()
  const pace = useMemo(createPace, [])
  const options = {
    queryKey: key,
    queryFn: read,
    enabled,
    refetchInterval: (query: Asked) =>
      pace(query, typeof poll === 'function' ? poll(query.state.data as T | undefined) : poll),
  }
  const observer = useMemo(() => new QueryObserver<T>(cache, options as never), [cache])
  const [result, setResult] = useState(() => observer.getCurrentResult())
  useEffect(() => observer.subscribe(setResult), [observer])
  useEffect(() => {
    observer.setOptions(options)
    setResult(observer.getCurrentResult())
  }, [observer, JSON.stringify(key), enabled])
  return readingOf(result, () => void observer.refetch())
}

export interface Pages<Page> extends Reading<readonly Page[]> {
  readonly hasMore: boolean
  readonly more: () => void
}

/** A list that is read page by page, each where the one before ended; all pages are kept fresh. */
export function usePages<Page, Cursor extends string | number>(
  key: QueryKey,
  read: (cursor: Cursor | undefined) => Promise<Page>,
  next: (page: Page) => Cursor | undefined,
): Pages<Page> {
  const { cache } = useData()
  const pace = useMemo(createPace, [])
  const options = {
    queryKey: key,
    queryFn: ({ pageParam }: { pageParam: Cursor | undefined }) => read(pageParam),
    initialPageParam: undefined,
    getNextPageParam: (page: Page) => next(page) ?? undefined,
    placeholderData: (before: unknown) => before,
    refetchInterval: (query: Asked) => pace(query, true),
  } as unknown as InfiniteQueryObserverOptions<Page, Error, { pages: Page[] }>
  const observer = useMemo(() => new InfiniteQueryObserver(cache, options), [cache])
  const [result, setResult] = useState(() => observer.getCurrentResult())
  useEffect(() => observer.subscribe(setResult), [observer])
  useEffect(() => {
    observer.setOptions(options)
    setResult(observer.getCurrentResult())
  }, [observer, JSON.stringify(key)])
  return {
    ...readingOf({ ...result, data: result.data?.pages }, () => void observer.refetch()),
    hasMore: result.hasNextPage,
    more: () => void observer.fetchNextPage(),
  }
}

function readingOf<T>(
  result: { data: T | undefined; error: Error | null; failureReason: Error | null; dataUpdatedAt: number },
  again: () => void,
): Reading<T> {
  const error = result.error ?? result.failureReason ?? undefined
  return { data: result.data, error, atMs: result.dataUpdatedAt, again }
}
