/**
 * Moves the focus to the row after the one that has it, or before it; to the first in view when none has.
 * Enter then opens what the row leads to.
 */
export function walkRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr:not([aria-hidden])')].filter(
    (row) => row.checkVisibility() && row.querySelector('td') !== null,
  )
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const here = rows[at]
  if (here === undefined) return enter(rows.find(isBelowHead) ?? rows[0])
  const beside = step > 0 ? here.nextElementSibling : here.previousElementSibling
  // Only rows near the viewport are rendered, and this one was scrolled away.
  if (beside?.ariaHidden === 'true') here.scrollIntoView({ block: 'center' })
  else enter(rows[at + step])
}

function enter(row: HTMLElement | undefined): void {
  if (row === undefined) return
  const link = row.querySelector<HTMLElement>('a[href]')
  if (link === null) row.tabIndex = -1
  ;(link ?? row).focus()
}

const isBelowHead = (row: HTMLElement): boolean =>
  row.getBoundingClientRect().top >= (document.querySelector('header')?.getBoundingClientRect().bottom ?? 0)
