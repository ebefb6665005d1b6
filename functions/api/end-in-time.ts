/**
 * Ends an event stream after `ms` milliseconds, between two events. The client then reconnects to another invocation.
 * Other responses are returned unchanged.
 */
export function endInTime(response: Response, ms: number): Response {
  const { body, headers } = response
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) return response
  const reader = body.getReader()
  const timeout = Promise.withResolvers<{ readonly done: true; readonly value?: undefined }>()
  const timer = setTimeout(() => timeout.resolve({ done: true }), Math.max(0, ms))
  const limited = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await Promise.race([reader.read(), timeout.promise])
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
  return new Response(limited, response)
}
