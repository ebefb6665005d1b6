/** The shadow root of an element, without what was in it. Sheets within are adopted, which every policy allows. */
export function shadowOf(host: HTMLElement): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true })
  root.replaceChildren()
  return root
}
