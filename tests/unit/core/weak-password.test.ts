import { expect, test } from 'vitest'
import { passwordFault } from '#lib/core/weak-password.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

test.each([
  ['admin', 'admin', 'at least 8 characters'],
  ['seven77', 'ann', 'at least 8 characters'],
  ['\u{1f511}\u{1f512}\u{1f513}\u{1f514}\u{1f515}\u{1f516}\u{1f517}', 'ann', 'at least 8 characters'],
  ['x'.repeat(1_025), 'ann', 'at most 1024 characters'],
  ['aaaaaaaa', 'ann', 'different characters'],
  ['abababab', 'ann', 'different characters'],
  ['Annabella', 'annabella', 'user name'],
  ['annabella2026!', 'Annabella', 'user name'],
  ['allebanna', 'annabella', 'user name'],
  ['robin-robin', 'robin', 'user name'],
  ['4nn4b3ll4', 'annabella', 'user name'],
  ['12345678', 'ann', 'sequence of neighbouring'],
  ['0987654321', 'ann', 'sequence of neighbouring'],
  ['12341234', 'ann', 'sequence of neighbouring'],
  ['abcdefgh', 'ann', 'sequence of neighbouring'],
  ['1q2w3e4r', 'ann', 'sequence of neighbouring'],
  ['qwertyui', 'ann', 'sequence of neighbouring'],
  ['password', 'ann', 'common words'],
  ['Password1', 'ann', 'common words'],
  ['P@ssw0rd!', 'ann', 'common words'],
  ['pa55word', 'ann', 'common words'],
  ['changeme', 'ann', 'common words'],
  ['change-me-now', 'ann', 'common words'],
  ['millrace1', 'ann', 'common words'],
  ['Millrace-Admin-2026', 'ann', 'common words'],
  ['adminadmin', 'ann', 'common words'],
  ['administrator', 'ann', 'common words'],
  ['123password', 'ann', 'common words'],
  ['letmein1', 'ann', 'common words'],
  ['qwerty123', 'ann', 'common words'],
  ['mysecretpassword', undefined, 'common words'],
  ['ｐａｓｓｗｏｒｄ', 'ann', 'common words'],
])('the password %j of %j is refused, and the reason does not repeat it', (password, name, why) => {
  expect(passwordFault(password, name)).toContain(why)
  expect(passwordFault(password, name)).not.toContain(password)
})

test.each([
  'correct horse',
  'Tr0ub4dor&3',
  'a-token-of-the-settings',
  'zoë liebt käse',
  'f3c1a9d27b60',
  '密码很长而且没有人会猜到',
])('the password %j is accepted', (password) => {
  expect(passwordFault(password, 'ann')).toBeUndefined()
})

test('the longest passwords are checked within 50 ms', () => {
  const spent = cpuTime()
  for (const text of ['admin'.repeat(200), 'qwe'.repeat(340), 'a1'.repeat(500)])
    passwordFault(text, 'a'.repeat(256))
  expect(spent()).toBeLessThan(50)
})
