import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { knownKeys } from '#lib/executors/ssh/known-hosts.ts'

const key = (name: string): string => Buffer.from(`key of ${name}, long enough`).toString('base64')
const namesOf = (text: string, host: string, port = 22): string[] =>
  knownKeys(text, host, port).map((one) => /key of (\w+)/.exec(one.key.toString())?.[1] ?? '')

describe('knownKeys', () => {
  test('finds a machine among names, addresses, comments and other machines', () => {
    const text = [
      '# ssh-ed25519 of old',
      '',
      `db,db.example.org,10.0.0.7 ssh-ed25519 ${key('db')} somebody@somewhere`,
      `  web ssh-rsa ${key('web')}`,
      'broken',
    ].join('\r\n')
    expect(namesOf(text, 'DB.example.org')).toEqual(['db'])
    expect(namesOf(text, '10.0.0.7')).toEqual(['db'])
    expect(namesOf(text, 'web')).toEqual(['web'])
    expect(namesOf(text, 'b')).toEqual([])
  })

  test('finds all keys of a machine with their types', () => {
    const text = `db ssh-rsa ${key('one')}\ndb ssh-ed25519 ${key('two')}\n`
    expect(knownKeys(text, 'db', 22).map(({ type }) => type)).toEqual(['ssh-rsa', 'ssh-ed25519'])
  })

  test('prefers the entry of a port, and falls back to that of the name', () => {
    const text = `db ssh-ed25519 ${key('plain')}\n[db]:2222 ssh-ed25519 ${key('ported')}\n`
    expect(namesOf(text, 'db')).toEqual(['plain'])
    expect(namesOf(text, 'db', 2222)).toEqual(['ported'])
    expect(namesOf(text, 'db', 2223)).toEqual(['plain'])
  })

  test('finds a hashed name, also with a port', () => {
    const hashed = (name: string): string => {
      const salt = Buffer.from('twenty bytes of salt')
      return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`
    }
    const text = `${hashed('db')} ssh-ed25519 ${key('a')}\n${hashed('[db]:2222')} ssh-ed25519 ${key('b')}\n`
    expect(namesOf(text, 'db')).toEqual(['a'])
    expect(namesOf(text, 'db', 2222)).toEqual(['b'])
    expect(namesOf(text, 'web')).toEqual([])
  })

  test('matches patterns, except for negated ones', () => {
    const text = `*.example.org,!old.example.org,10.0.0.? ssh-ed25519 ${key('some')}\n`
    expect(namesOf(text, 'new.example.org')).toEqual(['some'])
    expect(namesOf(text, 'old.example.org')).toEqual([])
    expect(namesOf(text, '10.0.0.7')).toEqual(['some'])
    expect(namesOf(text, '10.0.0.77')).toEqual([])
    expect(namesOf(text, 'newXexample.org')).toEqual([])
  })

  test('ignores revoked keys, whatever their padding, and certificate authorities', () => {
    const bare = key('db').replace(/=+$/, '')
    const text = [
      `db ssh-ed25519 ${key('db')}`,
      `db ssh-ed25519 ${key('other')}`,
      `@revoked * ssh-ed25519 ${bare}`,
      `@cert-authority * ssh-ed25519 ${key('authority')}`,
    ].join('\n')
    expect(namesOf(text, 'db')).toEqual(['other'])
  })
})
