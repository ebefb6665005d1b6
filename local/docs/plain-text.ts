import type { Token } from 'marked'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => entities[one] ?? one)

/** The text of some Markdown, without markup. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'html') return ''
      if (token.type === 'list') return (token['items'] as Token[]).map((item) => plainText([item])).join(' ')
      const inner = (token as { tokens?: readonly Token[] }).tokens
      if (inner !== undefined) return plainText(inner)
      return 'text' in token ? String(token.text) : ' '
    })
    .join('')
    .replaceAll(/\s+/g, ' ')
}
