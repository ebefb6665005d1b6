import { stateWord, type State } from '../../model/states.ts'

/** Shape and colour of a state; its word is next to it. */
export function StateMark({ state }: { readonly state: State }) {
  return (
    <svg class={`state-mark state-mark-${state}`} viewBox="0 0 12 12" aria-hidden="true">
      <Shape state={state} />
    </svg>
  )
}

export function StateSign({ state }: { readonly state: State }) {
  return (
    <span class="state-sign">
      <StateMark state={state} />
      {stateWord(state)}
    </span>
  )
}

function Shape({ state }: { readonly state: State }) {
  switch (state) {
    case 'success':
      return (
        <>
          <circle class="state-mark-fill" cx="6" cy="6" r="5.5" />
          <path class="state-mark-sign" d="M3.4 6.2 5.3 8 8.6 4.2" />
        </>
      )
    case 'failed':
      return (
        <>
          <path class="state-mark-fill" d="M3.7.5h4.6l3.2 3.2v4.6l-3.2 3.2H3.7L.5 8.3V3.7z" />
          <path class="state-mark-sign" d="m4 4 4 4m0-4L4 8" />
        </>
      )
    case 'partial_success':
      return (
        <>
          <path class="state-mark-fill" d="M6 .8 11.6 11H.4z" />
          <path class="state-mark-sign" d="m3.9 7.6 1.5 1.5 2.6-3" />
        </>
      )
    case 'running':
      return (
        <>
          <circle class="state-mark-ring" cx="6" cy="6" r="4.6" />
          <path class="state-mark-turn" d="M6 1.4A4.6 4.6 0 0 1 10.6 6" />
        </>
      )
    case 'cancelled':
      return <rect class="state-mark-fill" x="1" y="1" width="10" height="10" rx="1" />
    case 'queued':
      return <path class="state-mark-fill" d="M1 1.5h10v2H1zM1 5h10v2H1zM1 8.5h10v2H1z" />
    case 'skipped':
      return (
        <>
          <circle class="state-mark-ring" cx="6" cy="6" r="5.2" />
          <path class="state-mark-line" d="m3.4 4 2 2-2 2m2.8-4 2 2-2 2" />
        </>
      )
    case 'never_ran':
      return <path class="state-mark-line" d="M2 6h8" />
    case 'not_started':
    default:
      return <circle class="state-mark-ring state-mark-dotted" cx="6" cy="6" r="4.8" />
  }
}
