/**
 * Ends an event stream after `ms` milliseconds, between two events. The client then reconnects, to an instance that has
 * time left. Other answers are not changed.
 */
export function endInTime(answer: Response, ms: number): Response {
  const { body, headers } = answer
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) return answer
  const reader = body.getReader()
  const over = Promise.withResolvers<{ readonly done: true; readonly value?: undefined }>()
  const timer = setTimeout(() => over.resolve({ done: true }), Math.max(0, ms))
  const ended = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await Promise.race([reader.read(), over.promise])
      if (value !== undefined) return controller.enqueue(value)
      if (!done) return
      clearTimeout(timer)
      controller.close()
      await reader.cancel()
    },
    cancel: async (reason) => {
      clearTimeout(timer)
      await reader.cancel(reason)
    },
  })
  return new Response(ended, answer)
}
