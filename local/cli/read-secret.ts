import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Reads the first line of standard input; on a terminal, prompts for it with echo off. */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY })
  if (stdin.isTTY) stderr.write(`${prompt}: `)
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (stdin.isTTY) stderr.write('\n')
  }
}
