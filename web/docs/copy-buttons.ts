const shownMs = 1_500

/** Adds a copy button to each block of code. Pages without TLS have no clipboard, so they get none. */
export function addCopyButtons(): void {
  if (!('clipboard' in navigator)) return
  for (const block of document.querySelectorAll('.docs-code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'docs-copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(() => {
        button.textContent = 'Copied'
        setTimeout(() => (button.textContent = 'Copy'), shownMs)
      })
    })
    block.append(button)
  }
}
