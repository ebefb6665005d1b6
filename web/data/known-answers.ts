interface Known {
  readonly body: object
  readonly tag: string
}

/** Responses by their request, so that the service need not resend unchanged ones. */
export interface KnownAnswers {
  readonly get: (asked: string) => Known | undefined
  readonly keep: (asked: string, answer: Known) => void
  readonly clear: () => void
}

const keptMax = 16

/** Keeps the newest answers. */
export function createKnownAnswers(): KnownAnswers {
  const known = new Map<string, Known>()
  return {
    get: (asked) => known.get(asked),
    keep(asked, answer) {
      known.delete(asked)
      known.set(asked, answer)
      const [oldest = ''] = known.keys()
      if (known.size > keptMax) known.delete(oldest)
    },
    clear: () => known.clear(),
  }
}
