import { expect, test } from 'vitest'
import { mergeTexts } from '#web/model/merge-texts.ts'

const base = 'a\nb\nc\nd\ne'
const change = (from: number, to: number, fromOther = from, toOther = to) => ({
  from,
  to,
  fromOther,
  toOther,
})

test('changes of different lines are merged', () => {
  const mine = { text: 'A\nb\nc\nd\ne', changes: [change(0, 1)] }
  const theirs = { text: 'a\nb\nc\nnew\nd', changes: [change(3, 3, 3, 4), change(4, 5, 5, 5)] }
  expect(
    mergeTexts(
      { base, mine: mine.text, theirs: theirs.text },
      { mine: mine.changes, theirs: theirs.changes },
    ),
  ).toEqual({ text: 'A\nb\nc\nnew\nd', conflicts: 0 })
})

test('the same change of both is not a conflict', () => {
  const text = 'a\nB\nc\nd\ne'
  expect(
    mergeTexts({ base, mine: text, theirs: text }, { mine: [change(1, 2)], theirs: [change(1, 2)] }),
  ).toEqual({ text, conflicts: 0 })
})

test('changes of the same or adjacent lines are a conflict, and mine is kept', () => {
  const mine = 'a\nmine\nc\nd\ne'
  expect(
    mergeTexts(
      { base, mine, theirs: 'a\ntheirs\nd\ne' },
      { mine: [change(1, 2)], theirs: [change(1, 3, 1, 2)] },
    ),
  ).toEqual({ text: mine, conflicts: 1 })
  expect(
    mergeTexts(
      { base, mine, theirs: 'a\nb\ntheirs\nd\ne' },
      { mine: [change(1, 2)], theirs: [change(2, 3)] },
    ),
  ).toEqual({ text: mine, conflicts: 1 })
})

test('two texts inserted at the same position are a conflict, even in an empty file', () => {
  expect(
    mergeTexts(
      { base: '', mine: 'mine', theirs: 'theirs' },
      { mine: [change(0, 1)], theirs: [change(0, 1)] },
    ),
  ).toEqual({ text: 'mine', conflicts: 1 })
})

test('files with the most lines that a DAG file may have are merged', () => {
  const long = Array.from({ length: 150_000 }, (_, n) => `line ${n}`).join('\n')
  const merged = mergeTexts(
    { base: long, mine: `mine\n${long}`, theirs: `${long}\ntheirs` },
    { mine: [change(0, 0, 0, 1)], theirs: [change(150_000, 150_000, 150_000, 150_001)] },
  )
  expect(merged).toEqual({ text: `mine\n${long}\ntheirs`, conflicts: 0 })
})
