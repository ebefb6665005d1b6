import { applyTheme, keepTheme, readTheme, themes } from '../data/theme.ts'
import { addCopyButtons } from './copy-buttons.ts'
import { startSearch } from './search-box.ts'

/** Pictures follow the system theme; a chosen theme needs this. */
function choosePictures(): void {
  const theme = readTheme()
  for (const source of document.querySelectorAll<HTMLSourceElement>('picture source')) {
    source.media = theme === 'system' ? '(prefers-color-scheme: dark)' : theme === 'dark' ? 'all' : 'not all'
  }
}

function startThemes(): void {
  const label = document.querySelector<HTMLElement>('.docs-theme')
  const select = label?.querySelector('select')
  if (label === null || select === null || select === undefined) return
  for (const theme of themes) {
    const option = document.createElement('option')
    option.textContent = theme
    option.selected = theme === readTheme()
    select.append(option)
  }
  select.addEventListener('change', () => {
    keepTheme(themes[select.selectedIndex] ?? 'system')
    choosePictures()
  })
  label.hidden = false
}

/** On a narrow screen the list of pages is collapsed until it is opened. */
function foldPages(): void {
  const fold = document.querySelector<HTMLDetailsElement>('.docs-nav-fold')
  if (fold !== null && matchMedia('(width < 60rem)').matches) fold.open = false
}

applyTheme(readTheme())
document.addEventListener('DOMContentLoaded', () => {
  choosePictures()
  startThemes()
  foldPages()
  startSearch()
  addCopyButtons()
})
