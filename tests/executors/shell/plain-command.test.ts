import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { plainWords } from '#lib/executors/shell/plain-command.ts'

test('a program with plain arguments needs no shell', () => {
  expect(plainWords('date +%s%N')).toEqual(['date', '+%s%N'])
  expect(plainWords('  python3\t-m http.server --bind=127.0.0.1:80  ')).toEqual([
    'python3',
    '-m',
    'http.server',
    '--bind=127.0.0.1:80',
  ])
  expect(plainWords('./run.sh a,b @x')).toEqual(['./run.sh', 'a,b', '@x'])
})

const ofTheShell = `
A=1 env
A=1
echo hi
cd /tmp
exit 3
true
test -f x
kill 1
if x
time ls
. x
! ls
ls *
ls ?
ls [a]
ls ~
ls $HOME
ls "a b"
ls 'a'
ls a\\ b
ls {a,b}
ls #x
ls | wc
ls > x
ls < x
ls & x
ls; x
ls (x)
ls ^x
ls é`

test.each(['', ' ', 'ls\nx', 'ls `x`', ...ofTheShell.trim().split('\n')])(
  'a line that may need a shell is left to it: %j',
  (line) => {
    expect(plainWords(line)).toBeUndefined()
  },
)

test('no builtin or keyword of bash is taken for a program', () => {
  const list = execFileSync('bash', ['-c', 'compgen -b; compgen -k'], { encoding: 'utf8' })
  const own = list.split('\n').filter((word) => /^\w+$/.test(word))
  expect(own.length).toBeGreaterThan(50)
  expect(own.filter((word) => plainWords(word) !== undefined)).toEqual([])
})
