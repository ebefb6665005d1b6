import { createInterface } from 'node:readline/promises'

/** Asks a question on a terminal. @returns whether the answer is yes; false where there is no terminal */
export async function confirm(question: string): Promise<boolean> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return false
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}
