import {
  autocompletion,
  insertCompletionText,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { offersAt, type Offer } from '../../model/complete-spec.ts'
import type { SpecSchema } from '../../model/spec-schema.ts'

export interface Completing {
  /** Undefined: it is not read yet. */
  readonly schema: SpecSchema | undefined
  readonly dags: readonly string[]
}

/** Completes what is typed. @param known what is known now */
export function completing(known: () => Completing): Extension {
  const source = (context: CompletionContext): CompletionResult | null => {
    const { schema, dags } = known()
    const found = schema && offersAt(context.state.doc.toString(), context.pos, { schema, dags })
    if (found === undefined) return null
    const typed = context.state.sliceDoc(found.from, context.pos).toLowerCase()
    const offers = found.offers.filter(({ label }) => label.toLowerCase().includes(typed))
    const isWhole = offers.some(({ label }) => label.toLowerCase() === typed)
    const isEmpty = typed === '' && offers.some(({ kind }) => kind === 'field')
    // After a complete word, Enter should start a new line; without input, no completion was requested.
    if (!context.explicit && (isWhole || isEmpty)) return null
    return { from: found.from, options: ordered(offers, typed).map(optionOf), filter: false }
  }
  return autocompletion({ override: [source], icons: false, activateOnTypingDelay: 50, interactionDelay: 20 })
}

/** Those that begin with what is typed come first. */
function ordered(offers: readonly Offer[], typed: string): Offer[] {
  const rank = ({ label }: Offer): number => Number(!label.toLowerCase().startsWith(typed))
  const first = typed === '' ? offers : offers.filter((offer) => rank(offer) === 0)
  return (first.length > 0 ? first : offers).slice(0, 500)
}

const optionOf = ({ label, insert, about, kind }: Offer): Completion => ({
  label,
  type: kind,
  ...(about !== '' && { info: about }),
  apply(view, _, from, to) {
    view.dispatch(insertCompletionText(view.state, insert, from, to))
    if (kind === 'field' && insert !== label) startCompletion(view)
  },
})
