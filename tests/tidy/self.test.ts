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
  type Rule,
} from './rules.ts'
import { nothingHappensAtImport, webImportsRunOneWay, webStyles } from './web-rules.ts'

/** Each rule must find its planted violation, and nothing in the sound twin beside it. */
const planted: readonly [string, Rule, Record<string, string>, Record<string, string>][] = [
  [
    'a file that is too long',
    sizes,
    { 'lib/runs/long.ts': 'x\n'.repeat(301) },
    { 'lib/runs/long.ts': 'x\n'.repeat(300) },
  ],
  [
    'an endpoint that is too long',
    sizes,
    { 'functions/api/dags/a.ts': 'x\n'.repeat(41) },
    { 'functions/api/dags/a.ts': 'x\n' },
  ],
  [
    'a line that is too long',
    sizes,
    { 'lib/runs/a.ts': 'x'.repeat(121) },
    { 'lib/runs/a.ts': 'x'.repeat(120) },
  ],
  ['a drawer', names, { 'lib/runs/utils.ts': '' }, { 'lib/runs/claim-runs.ts': '' }],
  [
    'a private word',
    words,
    { 'lib/runs/a.ts': 'export interface RunPlace {}' },
    { 'lib/runs/a.ts': 'export interface RunAddress {}' },
  ],
  [
    'a private word alone',
    words,
    { 'lib/runs/a.ts': 'interface Place {}' },
    { 'lib/runs/a.ts': "const summary = 'Place a run on a queue'" },
  ],
  ['a name in camel case', names, { 'lib/runs/claimRuns.ts': '' }, { 'lib/runs/claim-runs.ts': '' }],
  ['a clock in the engine', words, { 'lib/engine/a.ts': 'Date.now()' }, { 'lib/runner/a.ts': 'Date.now()' }],
  [
    'settings read in a library',
    words,
    { 'lib/runs/a.ts': 'process.env' },
    { 'lib/config/config.ts': 'process.env' },
  ],
  [
    'a transaction of the driver',
    words,
    { 'lib/db/a.ts': 'sql.begin(' },
    { 'lib/db/a.ts': '// sql.begin( is banned' },
  ],
  [
    'a sleeping test',
    words,
    { 'tests/unit/a.test.ts': 'setTimeout(f, 1)' },
    { 'tests/support/a.ts': 'setTimeout(f, 1)' },
  ],
  [
    'an import against the order of the layers',
    importsRunOneWay,
    { 'lib/core/a.ts': "import { x } from '#lib/db/client.ts'" },
    { 'lib/runs/a.ts': "import { x } from '#lib/db/client.ts'" },
  ],
  [
    'an import cycle of types',
    importsFormNoCircle,
    {
      'lib/runs/a.ts': "import type { X } from './b.ts'",
      'lib/runs/b.ts': "import { y } from './c.ts'",
      'lib/runs/c.ts': "import { z } from '#lib/runs/a.ts'",
    },
    {
      'lib/runs/a.ts': "import type { X } from './b.ts'",
      'lib/runs/b.ts': "const { z } = await import('./a.ts')",
    },
  ],
  [
    'a package in the core',
    importsRunOneWay,
    { 'lib/core/a.ts': "import { x } from 'node:fs'" },
    { 'lib/db/a.ts': "import x from 'postgres'" },
  ],
  [
    'a multi-line import against the order of the layers',
    importsRunOneWay,
    { 'lib/engine/a.ts': "import {\n  x,\n  y,\n} from '#lib/runs/b.ts'" },
    { 'lib/engine/a.ts': "import {\n  x,\n  y,\n} from '#lib/core/b.ts'" },
  ],
  [
    'a bound that nothing uses',
    listsAreUsed,
    { 'lib/core/limits.ts': '  stepsMax: 1,\n' },
    { 'lib/core/limits.ts': '  stepsMax: 1,\n', 'lib/runs/a.ts': 'limits.stepsMax' },
  ],
  ['an unknown folder', importsRunOneWay, { 'lib/stuff/a.ts': '' }, { 'lib/core/a.ts': '' }],
  [
    'an endpoint that queries',
    endpointsAreThin,
    { 'functions/api/dags/a.ts': "import { sql } from 'drizzle-orm'" },
    { 'functions/api/dags/a.ts': "import { x } from '#lib/dags/list-dags.ts'" },
  ],
  [
    'a verb that imports the driver',
    driverIsHidden,
    { 'lib/runs/a.ts': "import postgres from 'postgres'" },
    {
      'lib/db/a.ts': "import postgres from 'postgres'",
      'lib/runs/b.ts': "import { sql } from 'drizzle-orm'",
    },
  ],
  [
    'a runner that loads the API lazily',
    endpointsAreThin,
    { 'lib/runner/a.ts': "await import('hono')" },
    { 'lib/api/a.ts': "import { Hono } from 'hono'" },
  ],
  [
    'a pattern that is retried at each line feed',
    patternsAreLinear,
    { 'lib/api/a.ts': String.raw`export const last = /[\r\n]+$/` },
    { 'lib/api/a.ts': String.raw`export const first = /^[\r\n]+/` },
  ],
  [
    'a pattern in which two repetitions share a text',
    patternsAreLinear,
    { 'lib/api/a.ts': String.raw`export const words = /^([A-Za-z]+)\s+(\S.*?)\s*$/s` },
    { 'lib/api/a.ts': String.raw`export const words = /^([A-Za-z]+)\s+\S/s` },
  ],
  [
    'a pattern that is retried at each tag',
    patternsAreLinear,
    { 'lib/api/a.ts': 'export const tag = /<[a-z][^>]*>/i' },
    { 'lib/api/a.ts': 'export const tag = /<[a-z][^<>]*>/i' },
  ],
  [
    'a pattern that is retried at each escaped quote',
    patternsAreLinear,
    { 'lib/api/a.ts': String.raw`export const words = /(?:"(?:\\.|[^"\\])*"|\S)+/g` },
    { 'lib/api/a.ts': String.raw`export const words = /(?:"(?:\\[^]?|[^"\\])*(?:"|$)|\S)+/g` },
  ],
  [
    'a control that knows the service',
    webImportsRunOneWay,
    { 'web/controls/a/a.tsx': "import { useData } from '../../data/page-data.ts'" },
    { 'web/parts/a/a.tsx': "import { useData } from '../../data/page-data.ts'" },
  ],
  [
    'a page that imports another',
    webImportsRunOneWay,
    { 'web/pages/run/a.tsx': "import { x } from '../runs/b.tsx'" },
    { 'web/pages/run/a.tsx': "import { x } from './b.tsx'" },
  ],
  [
    'a package that a part must not know',
    webImportsRunOneWay,
    { 'web/parts/a/a.tsx': "import Anser from 'anser'" },
    { 'web/parts/log-view/a.ts': "import Anser from 'anser'" },
  ],
  [
    'a service that imports the page',
    webImportsRunOneWay,
    { 'lib/api/a.ts': "import { x } from '#web/model/a.ts'" },
    { 'lib/api/a.ts': "import { x } from './web-page/web-page.ts'" },
  ],
  [
    'a module that acts at import',
    nothingHappensAtImport,
    { 'web/data/a.ts': "document.title = 'x'" },
    { 'web/data/a.ts': "export const f = () => (document.title = 'x')" },
  ],
  [
    'a constant that is the result of a call',
    nothingHappensAtImport,
    { 'web/data/a.ts': 'export const a = signal(0)' },
    { 'web/data/a.ts': 'export const a = createContext(0)' },
  ],
  [
    'a style sheet that is not in the index',
    webStyles,
    { 'web/parts/a/a.css': '' },
    { 'web/parts/a/a.css': '', 'web/styles/index.css': "@import '../parts/a/a.css' layer(parts);" },
  ],
  [
    'a colour outside the tokens',
    webStyles,
    {
      'web/parts/a/a.css': 'a { color: #fff }',
      'web/styles/index.css': "@import '../parts/a/a.css' layer(parts);",
    },
    {
      'web/styles/tokens.css': ':root { --a: #fff }',
      'web/styles/index.css': "@import './tokens.css' layer(base);",
    },
  ],
]

test.each(planted)('finds %s', (_title, rule, bad, good) => {
  expect(rule(new Map(Object.entries(bad)))).toHaveLength(1)
  expect(rule(new Map(Object.entries(good)))).toEqual([])
})
