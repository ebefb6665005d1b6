import {
  InfiniteQueryObserver,
  QueryObserver,
  type InfiniteQueryObserverOptions,
  type QueryKey,
} from '@tanstack/query-core'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pollMs } from '../model/poll-pace.ts'
import { useFollow, type Following } from './follow.ts'
import { useData } from './page-data.ts'

export interface Reading<T> {
  readonly data: T | undefined
  /** Error of the last attempt; old data stays visible. */
  readonly error: Error | undefined
  /** When `data` was answered. */
  readonly atMs: number
  readonly again: () => void
}

/** `false`: read once. `true`: polled at the usual pace. A number: milliseconds. */
export type Poll<T> = boolean | number | ((data: T | undefined) => boolean | number)

/** How often data is refreshed although a stream follows it. */
const followedMs = 60_000

interface Asked {
  readonly state: {
    readonly data: unknown
    readonly dataUpdatedAt: number
    readonly fetchFailureCount: number
  }
}

/** When the same data was first seen: unchanged answers keep their identity. */
function createPace(): (query: Asked, poll: boolean | number, isLive: boolean) => number | false {
  let seen: unknown
  let sinceMs = Date.now()
  return ({ state }, poll, isLive) => {
    if (state.data !== seen) [seen, sinceMs] = [state.data, Date.now()]
    const unchangedMs = Date.now() - sinceMs
    if (poll === false) return false
    if (isLive && state.fetchFailureCount === 0) return followedMs
    return Math.max(poll === true ? 0 : poll, pollMs({ unchangedMs, failures: state.fetchFailureCount }))
  }
}

/** Reads something from the service, and keeps it fresh while it is visible. */
export function useQuery<T>(
  key: QueryKey,
  read: () => Promise<T>,
  poll: Poll<T> = false,
  enabled = true,
  following?: Following<T>,
): Reading<T> {
  const { cache, tagOf } = useData()
  const tag = useRef('')
  const isLive = useRef(false)
  const pace = useMemo(createPace, [])
  const options = {
    queryKey: key,
    queryFn: async () => {
      const answer = await read()
      tag.current = tagOf(Object(answer) as object)
      return answer
    },
    enabled,
    refetchInterval: (query: Asked) =>
      pace(
        query,
        typeof poll === 'function' ? poll(query.state.data as T | undefined) : poll,
        isLive.current,
      ),
  }
  const observer = useMemo(() => new QueryObserver<T>(cache, options as never), [cache])
  const [result, setResult] = useState(() => observer.getCurrentResult())
  isLive.current = useFollow({ key, following, tag, data: result.data })
  useEffect(() => observer.subscribe(setResult), [observer])
  useEffect(() => {
    observer.setOptions(options)
    setResult(observer.getCurrentResult())
  }, [observer, JSON.stringify(key), enabled, isLive.current])
  return readingOf(result, () => void observer.refetch())
}

export interface Pages<Page> extends Reading<readonly Page[]> {
  readonly hasMore: boolean
  readonly more: () => void
}

/** A list that is loaded page by page with cursors. All loaded pages are kept fresh. */
export function usePages<Page, Cursor extends string | number>(
  key: QueryKey,
  read: (cursor: Cursor | undefined) => Promise<Page>,
  next: (page: Page) => Cursor | undefined,
  following?: Following<readonly Page[]>,
): Pages<Page> {
  const { cache, tagOf } = useData()
  const tag = useRef('')
  const isLive = useRef(false)
  const pace = useMemo(createPace, [])
  const options = {
    queryKey: key,
    queryFn: async ({ pageParam }: { pageParam: Cursor | undefined }) => {
      const page = await read(pageParam)
      if (pageParam === undefined) tag.current = tagOf(Object(page) as object)
      return page
    },
    initialPageParam: undefined,
    getNextPageParam: (page: Page) => next(page) ?? undefined,
    placeholderData: (before: unknown) => before,
    refetchInterval: (query: Asked) => pace(query, true, isLive.current),
  } as unknown as InfiniteQueryObserverOptions<Page, Error, { pages: Page[] }>
  const observer = useMemo(() => new InfiniteQueryObserver(cache, options), [cache])
  const [result, setResult] = useState(() => observer.getCurrentResult())
  isLive.current = useFollow({
    key,
    following: following && followingPages(following),
    tag,
    data: result.isPlaceholderData ? undefined : result.data,
  })
  useEffect(() => observer.subscribe(setResult), [observer])
  useEffect(() => {
    observer.setOptions(options)
    setResult(observer.getCurrentResult())
  }, [observer, JSON.stringify(key), isLive.current])
  return {
    ...readingOf({ ...result, data: result.data?.pages }, () => void observer.refetch()),
    hasMore: result.hasNextPage,
    more: () => void observer.fetchNextPage(),
  }
}

const followingPages = <Page>({ patch, isOver, ...rest }: Following<readonly Page[]>) => ({
  ...rest,
  ...(isOver && { isOver: (data: { pages: Page[] }) => isOver(data.pages) }),
  patch: (data: { pages: Page[] }, news: unknown, event: string) => ({
    ...data,
    pages: [...patch(data.pages, news, event)],
  }),
})

function readingOf<T>(
  result: { data: T | undefined; error: Error | null; failureReason: Error | null; dataUpdatedAt: number },
  again: () => void,
): Reading<T> {
  const error = result.error ?? result.failureReason ?? undefined
  return { data: result.data, error, atMs: result.dataUpdatedAt, again }
}
