/** All that needs CodeMirror, loaded as one. */
export { CompareView } from './compare-view.tsx'
export { MergeTexts } from './merge-view.tsx'
export { SpecEditor } from './spec-editor.tsx'
