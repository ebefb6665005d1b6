/** Longer texts scroll in their own area. Characters. */
const longFrom = 300

/** A user's text, unchanged. */
export function StepValue({ name, text }: { readonly name: string; readonly text: string }) {
  if (text.length < longFrom) {
    return (
      <span class="step-drawer-value" dir="auto">
        {text}
      </span>
    )
  }
  return (
    <pre class="step-drawer-value step-drawer-long" dir="auto" tabIndex={0} role="region" aria-label={name}>
      {text}
    </pre>
  )
}
