import { expect, test } from 'vitest'
import { passwordFault } from '#lib/core/weak-password.ts'

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
  ['12345678', 'ann', 'row of neighbouring'],
  ['0987654321', 'ann', 'row of neighbouring'],
  ['12341234', 'ann', 'row of neighbouring'],
  ['abcdefgh', 'ann', 'row of neighbouring'],
  ['1q2w3e4r', 'ann', 'row of neighbouring'],
  ['qwertyui', 'ann', 'row of neighbouring'],
  ['password', 'ann', 'well-known words'],
  ['Password1', 'ann', 'well-known words'],
  ['P@ssw0rd!', 'ann', 'well-known words'],
  ['pa55word', 'ann', 'well-known words'],
  ['changeme', 'ann', 'well-known words'],
  ['change-me-now', 'ann', 'well-known words'],
  ['millrace1', 'ann', 'well-known words'],
  ['Millrace-Admin-2026', 'ann', 'well-known words'],
  ['adminadmin', 'ann', 'well-known words'],
  ['administrator', 'ann', 'well-known words'],
  ['123password', 'ann', 'well-known words'],
  ['letmein1', 'ann', 'well-known words'],
  ['qwerty123', 'ann', 'well-known words'],
  ['mysecretpassword', undefined, 'well-known words'],
  ['ｐａｓｓｗｏｒｄ', 'ann', 'well-known words'],
])('%j of %j is too weak, and the reason says why', (password, name, why) => {
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
])('%j may be used', (password) => {
  expect(passwordFault(password, 'ann')).toBeUndefined()
})

test('the longest password takes no time', () => {
  const begun = performance.now()
  for (const text of ['admin'.repeat(200), 'qwe'.repeat(340), 'a1'.repeat(500)])
    passwordFault(text, 'a'.repeat(256))
  expect(performance.now() - begun).toBeLessThan(50)
})
