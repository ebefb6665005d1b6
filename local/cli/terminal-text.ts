/** Complete sequences: CSI, strings (OSC, DCS …) with their end, and those of two characters. */
const sequence =
  // oxlint-disable-next-line eslint/no-control-regex -- this is about them
  /\u001B(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|[ -/]{1,8}[0-~])/g
// oxlint-disable-next-line eslint/no-control-regex -- this is about them
const colours = /^\u001B\[[\d;:]*m$/
/** All control characters except line feeds, tabs, and carriage returns before a line feed. */
const control =
  // oxlint-disable-next-line eslint/no-control-regex -- this is about them
  /\u001B(?!\[[\d;:]{0,64}m)|\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001A\u001C-\u001F\u007F-\u009F]/g

/**
 * Makes untrusted text safe for a terminal. Colours stay; other sequences (title, clipboard, cursor, erasing) are
 * removed, and single control characters become symbols.
 */
export function terminalText(text: string): string {
  return text
    .replaceAll(sequence, (found) => (colours.test(found) ? found : ''))
    .replaceAll(control, symbolOf)
}

/** Unicode has symbols for C0 and DEL only. */
function symbolOf(character: string): string {
  const code = character.charCodeAt(0)
  if (code === 0x7f) return '\u2421'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\uFFFD'
}
