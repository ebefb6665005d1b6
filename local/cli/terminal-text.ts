/** Complete sequences: CSI, strings (OSC, DCS …) with their end, and those of two characters. */
const sequence =
  // oxlint-disable-next-line eslint/no-control-regex -- this is about them
  /\u001B(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|[ -/]{1,8}[0-~])/g
// oxlint-disable-next-line eslint/no-control-regex -- this is about them
const colours = /^\u001B\[[\d;:]*m$/
/** All but line feeds, tabs and carriage returns of line ends. */
const control =
  // oxlint-disable-next-line eslint/no-control-regex -- this is about them
  /\u001B(?!\[[\d;:]{0,64}m)|\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001A\u001C-\u001F\u007F-\u009F]/g

/**
 * Makes a text that somebody else wrote harmless for a terminal: colours stay. Other sequences (title, clipboard,
 * cursor, erasing) are removed; single control characters are shown as symbols.
 */
export function terminalText(text: string): string {
  return text
    .replaceAll(sequence, (found) => (colours.test(found) ? found : ''))
    .replaceAll(control, symbolOf)
}

/** Of C0 and DEL, Unicode has pictures. */
function symbolOf(character: string): string {
  const code = character.charCodeAt(0)
  if (code === 0x7f) return '\u2421'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\uFFFD'
}
