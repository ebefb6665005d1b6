import type { ReceivedEvent } from '#lib/client/read-events.ts'
import { signal } from '@preact/signals'
import type { QueryKey } from '@tanstack/query-core'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Topic } from './followed.ts'
import { useData } from './page-data.ts'

/** How data is updated by the stream of the page, or by its own stream. */
export type Following<Data> = Source & {
  /** The data, updated by an event: a row of the list, its numbers, a part of the run. */
  readonly patch: (data: Data, news: unknown, event: string) => Data
  /** Whether nothing can change any more. */
  readonly isOver?: (data: Data) => boolean
}

type Source =
  /** A list and its query, which the stream needs too. */
  | { readonly topic: Topic; readonly query: Readonly<Record<string, string | number | undefined>> }
  /** Of a stream, below the path of the API. */
  | { readonly path: string }

interface Options<Data> {
  readonly key: QueryKey
  readonly following: Following<Data> | undefined
  /** Entity tag of the last answer. */
  readonly tag: { readonly current: string }
  /** The loaded data; undefined before. */
  readonly data: Data | undefined
}

/** Follows changes of the data from that state on. @returns whether the stream delivers changes */
export function useFollow<Data>({ key, following, tag, data: read }: Options<Data>): boolean {
  const { cache, live } = useData()
  const isLive = useMemo(() => signal(false), [])
  const patch = useRef(following?.patch)
  patch.current = following?.patch
  const isFollowed = following !== undefined && read !== undefined && following.isOver?.(read) !== true
  useEffect(() => {
    if (!isFollowed) return undefined
    const onEvent = ({ event, data }: ReceivedEvent): void => {
      const filters = { queryKey: key, exact: true }
      // An answer in flight may be older than the event.
      if (event === 'reset' || cache.isFetching(filters) > 0) void cache.invalidateQueries(filters)
      else {
        cache.setQueryData(key, (before: Data | undefined) =>
          before === undefined ? before : patch.current?.(before, data, event),
        )
      }
    }
    if ('path' in following)
      return live.listen({ path: following.path, tag: () => tag.current, isLive, onEvent })
    const { topic, query } = following
    return live.follow({ topic, query, tag: () => tag.current, isLive, onEvent })
  }, [JSON.stringify(key), isFollowed])
  return isLive.value
}
