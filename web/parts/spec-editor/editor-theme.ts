import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import type { Extension } from '@codemirror/state'
import { tags } from '@lezer/highlight'

/** The colours of the page, which reach into the shadow root as custom properties. */
export function editorTheme(): Extension {
  const theme = EditorView.theme({
    '&': { color: 'var(--ink)', background: 'var(--paper)', font: 'var(--code)', height: '100%' },
    '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
    '.cm-scroller': { font: 'var(--code)', overflow: 'auto' },
    '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
    '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
      background: 'color-mix(in srgb, var(--focus) 26%, transparent)',
    },
    '.cm-gutters': {
      background: 'var(--panel)',
      color: 'var(--quiet)',
      borderRight: '1px solid var(--line)',
    },
    '.cm-activeLine': { background: 'color-mix(in srgb, var(--hover) 50%, transparent)' },
    '.cm-activeLineGutter': { background: 'var(--hover)', color: 'var(--ink)' },
    '&.cm-focused .cm-matchingBracket': { background: 'var(--hover)', outline: '1px solid var(--edge)' },
    '.cm-searchMatch': { background: 'color-mix(in srgb, var(--partial) 45%, transparent)' },
    '.cm-searchMatch-selected': { outline: '2px solid var(--focus)' },
    ...panels,
    ...tooltips,
    ...marks,
    ...changes,
  })
  return [theme, syntaxHighlighting(highlighting())]
}

const panels = {
  '.cm-panels': { background: 'var(--panel)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: '8px', font: 'var(--table)' },
  '.cm-panel.cm-search label': { display: 'inline-block', lineHeight: '24px', fontSize: '13px' },
  '.cm-panel.cm-search input[type=checkbox]': {
    inlineSize: '24px',
    blockSize: '24px',
    verticalAlign: 'middle',
  },
  '.cm-panel.cm-search [name=close]': { inlineSize: '28px', blockSize: '28px', color: 'var(--ink)' },
  '.cm-textfield': {
    blockSize: '28px',
    border: '1px solid var(--edge)',
    background: 'var(--paper)',
    color: 'var(--ink)',
  },
  '.cm-button': {
    blockSize: '28px',
    border: '1px solid var(--edge)',
    borderRadius: '4px',
    background: 'var(--paper)',
    color: 'var(--ink)',
  },
}

const tooltips = {
  '.cm-tooltip': {
    background: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
    font: 'var(--table)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { font: 'var(--code)' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', lineHeight: '20px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--ink)',
    color: 'var(--paper)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionInfo': { padding: '6px 10px', maxWidth: '320px' },
  // It would cover the completions.
  '@media (max-width: 700px)': { '.cm-completionInfo': { display: 'none' } },
  '.cm-diagnostic': { padding: '4px 10px', borderLeft: '3px solid var(--failed-line)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--partial-line)' },
}

const wavy = (colour: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy ${colour} 1px`,
  textDecorationSkipInk: 'none',
  textUnderlineOffset: '3px',
})

const marks = {
  '.cm-lintRange-error': wavy('var(--failed-line)'),
  '.cm-lintRange-warning': wavy('var(--partial-line)'),
  '.cm-lintRange-active': { background: 'var(--hover)' },
}

const changes = {
  '.cm-changedLine, .cm-insertedLine': { background: 'color-mix(in srgb, var(--success) 16%, transparent)' },
  '.cm-deletedChunk, &.cm-merge-a .cm-changedLine': {
    background: 'color-mix(in srgb, var(--failed) 12%, transparent)',
  },
  '.cm-changedText': { background: 'color-mix(in srgb, var(--success) 34%, transparent)' },
  '.cm-deletedChunk .cm-deletedText, &.cm-merge-a .cm-changedText, .cm-deletedLine del': {
    background: 'color-mix(in srgb, var(--failed) 26%, transparent)',
    textDecoration: 'none',
  },
  '.cm-changeGutter': { width: '4px', paddingLeft: '0' },
  '.cm-changedLineGutter': { background: 'var(--success-line)' },
  '.cm-deletedLineGutter': { background: 'var(--failed-line)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"', marginInline: '4px' },
  '.cm-collapsedLines': {
    background: 'var(--panel)',
    color: 'var(--quiet)',
    borderBlock: '1px solid var(--line)',
  },
}

/** Only weight and muted ink: colour is reserved for states. */
const highlighting = (): HighlightStyle =>
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], fontWeight: '600' },
    { tag: [tags.comment, tags.meta], color: 'var(--quiet)', fontStyle: 'italic' },
    { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--quiet)' },
    { tag: tags.invalid, textDecoration: 'underline dotted' },
  ])
