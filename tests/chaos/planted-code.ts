import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeMutations, type CodeMutation } from './code-mutations.ts'
import type { Planted } from './planted.ts'

const top = new URL('../..', import.meta.url).pathname
const copied = ['lib', 'functions', 'local', 'tests', 'migrations', 'infra', 'package.json', 'tsconfig.json']
const limitMs = 300_000

/** Plants each fault in a copy of the tree, and runs the tests that must fail. The first copy has no fault. */
export async function* plantAllInCode(): AsyncGenerator<Planted> {
  const tree = mkdtempSync(join(tmpdir(), 'millrace-planted-code-'))
  try {
    for (const name of copied) cpSync(join(top, name), join(tree, name), { recursive: true })
    symlinkSync(join(top, 'node_modules'), join(tree, 'node_modules'))
    const all = new Set(codeMutations.flatMap(({ tests }) => tests))
    yield { fault: 'no fault', ...(await runTests(tree, [...all])) }
    for (const mutation of codeMutations) yield await plant(tree, mutation)
  } finally {
    rmSync(tree, { recursive: true })
  }
}

/** @throws Error if the file no longer contains the text: then update the list */
async function plant(tree: string, { fault, file, from, to, tests }: CodeMutation): Promise<Planted> {
  const path = join(tree, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${fault}: ${file} has no such text any more: ${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  try {
    return { fault, ...(await runTests(tree, tests)) }
  } finally {
    writeFileSync(path, text)
  }
}

async function runTests(tree: string, tests: readonly string[]): Promise<Omit<Planted, 'fault'>> {
  const begun = performance.now()
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts', ...tests]
  const options = {
    cwd: tree,
    timeout: limitMs,
    maxBuffer: 64_000_000,
    env: { ...process.env, NO_COLOR: '1' },
  }
  try {
    await promisify(execFile)(process.execPath, args, options)
    return { caught: undefined, tookMs: performance.now() - begun }
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const said = `${stdout}\n${stderr}`
    const caught = /^\s*FAIL +(.*)$/m.exec(said)?.[1] ?? said.slice(-400)
    return { caught, tookMs: performance.now() - begun }
  }
}
