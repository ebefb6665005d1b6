import { searchDocs, type Found, type SearchIndex } from './search.ts'

/** Makes the search field work. The index is loaded on the first search. `/` leads to the field. */
export function startSearch(): void {
  const form = document.querySelector<HTMLFormElement>('.docs-search')
  const field = form?.querySelector('input')
  const sheet = form?.querySelector<HTMLElement>('.docs-found')
  if (form === null || form === undefined || !field || !sheet) return
  form.hidden = false
  let index: Promise<SearchIndex> | undefined
  const read = async (): Promise<SearchIndex> => {
    const answer = await fetch('search.json')
    return (await answer.json()) as SearchIndex
  }
  const update = async (): Promise<void> => {
    const text = field.value
    try {
      const found = searchDocs(await (index ??= read()), text)
      if (text === field.value) show(sheet, text, found)
    } catch {
      index = undefined
      showWords(sheet, 'The search needs the service, and it cannot be reached.')
    }
  }
  field.addEventListener('input', () => void update())
  field.addEventListener('focus', () => void (field.value !== '' && update()))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sheet.querySelector('a')?.click()
  })
  form.addEventListener('keydown', (event) => walk(event, field, sheet))
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) sheet.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = document.activeElement?.matches('input, select, textarea') === true
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}

/** Up and down move between results, Escape closes them. */
function walk(event: KeyboardEvent, field: HTMLElement, sheet: HTMLElement): void {
  if (event.key === 'Escape') {
    sheet.hidden = true
    field.focus()
    return
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || sheet.hidden) return
  event.preventDefault()
  const stops = [field, ...sheet.querySelectorAll('a')]
  const at = stops.findIndex((one) => one === document.activeElement)
  stops[(at + step + stops.length) % stops.length]?.focus()
}

function show(sheet: HTMLElement, text: string, found: readonly Found[]): void {
  if (text.trim() === '') {
    sheet.hidden = true
    return
  }
  if (found.length === 0) {
    showWords(sheet, 'Nothing matches all of these words.')
    return
  }
  const list = document.createElement('ul')
  list.append(...found.map(itemOf))
  sheet.replaceChildren(statusOf(`${found.length} found`), list)
  sheet.hidden = false
}

function itemOf({ href, title, page, extract }: Found): HTMLLIElement {
  const link = document.createElement('a')
  link.href = href
  const [head, about, text] = ['b', 'span', 'span'].map((name) => document.createElement(name))
  if (head && about && text) {
    head.textContent = title
    about.textContent = title === page ? '' : ` ${page}`
    about.className = 'docs-quiet'
    text.textContent = extract
    text.className = 'docs-extract'
    link.append(head, about, text)
  }
  const item = document.createElement('li')
  item.append(link)
  return item
}

function statusOf(text: string): HTMLParagraphElement {
  const status = document.createElement('p')
  status.setAttribute('role', 'status')
  status.className = 'docs-quiet'
  status.textContent = text
  return status
}

function showWords(sheet: HTMLElement, text: string): void {
  sheet.replaceChildren(statusOf(text))
  sheet.hidden = false
}
