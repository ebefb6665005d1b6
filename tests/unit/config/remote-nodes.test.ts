import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readRemoteNodes } from '#lib/config/remote-nodes.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-nodes-'))
const file = join(folder, 'nodes.yaml')
afterAll(() => rmSync(folder, { recursive: true }))

function read(text: string) {
  writeFileSync(file, text)
  return readRemoteNodes(file)
}

function faultsOf(text: string): string {
  try {
    read(text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

test('without a file there are no nodes', () => {
  expect(readRemoteNodes(undefined)).toEqual([])
})

test('nodes are read with their credentials, from YAML and from JSON', () => {
  const nodes = read(`
- name: berlin
  baseUrl: https://berlin.example/jobs/api/v2/
  auth: {token: "abc"}
- name: oslo
  baseUrl: http://10.0.0.7:8080/api/v2
  auth: {username: ann, password: "p:w ü"}
- {name: open, baseUrl: "http://[::1]:1/api/v2"}
`)
  expect(nodes).toEqual([
    { name: 'berlin', baseUrl: 'https://berlin.example/jobs/api/v2', authorization: 'Bearer abc' },
    {
      name: 'oslo',
      baseUrl: 'http://10.0.0.7:8080/api/v2',
      authorization: `Basic ${Buffer.from('ann:p:w ü').toString('base64')}`,
    },
    { name: 'open', baseUrl: 'http://[::1]:1/api/v2', authorization: undefined },
  ])
  expect(read('[{"name": "a", "baseUrl": "http://a/api/v2"}]')).toHaveLength(1)
})

test.each([
  ['- name: a b\n  baseUrl: http://a/api/v2\n', 'line 1: 0.name must hold'],
  ['- name: local\n  baseUrl: http://a/api/v2\n', 'line 1: 0.name must not be "local"'],
  ['- name: a\n  baseUrl: http://a/\n', 'line 2: 0.baseUrl must be http'],
  ['- name: a\n  baseUrl: http://u:hunter2@a/api/v2\n', 'line 2: 0.baseUrl must be http'],
  ['- name: a\n  baseUrl: ftp://a/api/v2\n', 'line 2: 0.baseUrl must be http'],
  ['- name: a\n', 'line 1: 0.baseUrl is required'],
  ['- name: a\n  baseUrl: http://a/api/v2\n  auht: 1\n', 'line 3: 0.auht is not a known field'],
  ['- name: a\n  baseUrl: http://a/api/v2\n  auth: {token: 12345}\n', 'line 3: 0.auth'],
  ['- name: a\n  baseUrl: http://a/api/v2\n  auth: {token: hunter2, password: hunter2}\n', 'line 3: 0.auth'],
  ['- name: a\n  baseUrl: http://a/api/v2\n  auth: hunter2\n', 'line 3: 0.auth must hold either token'],
  ['- {name: a, baseUrl: http://a/api/v2}\n- {name: a, baseUrl: http://b/api/v2}\n', 'names a node twice'],
  ['name: a\n', 'must be a list of nodes'],
  ['- name: *hunter2\n', 'must be a list of nodes'],
  ['- name: "a\n', 'line'],
])('%j is refused with its position and without its values', (text, message) => {
  const faults = faultsOf(text)
  expect(faults).toContain(`MILLRACE_REMOTE_NODES=${file}`)
  expect(faults).toContain(message)
  expect(faults).not.toMatch(/hunter2|12345/)
})

test('a missing file is refused', () => {
  expect(() => readRemoteNodes(join(folder, 'none'))).toThrow('the file cannot be read')
})
