import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentUnit } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { editorTheme } from './editor-theme.ts'
import { insertingWhole } from './insert-whole.ts'

/** The extensions for every YAML text. @param name for people */
export const showing = (name: string, description = ''): Extension => [
  lineNumbers(),
  drawSelection(),
  yaml(),
  editorTheme(),
  search({ top: true }),
  EditorState.tabSize.of(2),
  EditorView.contentAttributes.of({
    'aria-label': name,
    tabindex: '0',
    ...(description !== '' && { 'aria-description': description }),
    spellcheck: 'false',
    autocorrect: 'off',
    autocapitalize: 'off',
  }),
]

/** The additional extensions for an editable text. */
export const editing = (): Extension => [
  history(),
  codeFolding(),
  foldGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  bracketMatching(),
  closeBrackets(),
  insertingWhole(),
  indentUnit.of('  '),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    indentWithTab,
  ]),
]

/** @param isReadOnly the text can be read, selected and searched, but not changed */
export const lockedWhen = (isReadOnly: boolean): Extension => EditorState.readOnly.of(isReadOnly)
