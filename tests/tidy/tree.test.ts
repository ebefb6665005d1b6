import { expect, test } from 'vitest'
import { patternsAreLinear } from './pattern-rules.ts'
import {
  driverIsHidden,
  endpointsAreThin,
  importsFormNoCircle,
  importsRunOneWay,
  listsAreUsed,
  names,
  sizes,
  words,
} from './rules.ts'
import { projectTree } from './tree.ts'
import { nothingHappensAtImport, webImportsRunOneWay, webStyles } from './web-rules.ts'

const tree = projectTree()

test('the rules look at the whole project', () => {
  expect(tree.size).toBeGreaterThan(100)
})

const rules = {
  sizes,
  names,
  words,
  importsRunOneWay,
  importsFormNoCircle,
  endpointsAreThin,
  driverIsHidden,
  listsAreUsed,
  patternsAreLinear,
  webImportsRunOneWay,
  nothingHappensAtImport,
  webStyles,
}

test.each(Object.entries(rules))('the project keeps the rule: %s', (_name, rule) => {
  expect(rule(tree)).toEqual([])
})
