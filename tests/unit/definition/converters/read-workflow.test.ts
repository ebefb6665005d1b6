import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSpec } from '#lib/definition/read-spec.ts'
import { combinations } from '#lib/definition/converters/actions/matrix.ts'
import { readWorkflow } from '#lib/definition/converters/actions/read-workflow.ts'

interface Step {
  readonly name: string
  readonly depends?: string[]
  readonly script: string
  readonly env?: object[]
  readonly shell: string
}

function dagOf(text: string) {
  const { spec = '', fault, notes } = readWorkflow(text, 'nightly.yml')
  expect(fault).toBeUndefined()
  expect(readSpec(spec, { fileName: 'nightly' }).problems).toEqual([])
  return { notes: notes.join('\n'), dag: parse(spec) as { steps: Step[] } & Record<string, unknown> }
}

const nightly = `name: Nightly build
on:
  push: { branches: [main] }
  schedule:
    - cron: '17 3 * * 1-5'
  workflow_dispatch:
    inputs:
      dry-run: { description: Only look, default: 'true' }
env:
  LEVEL: \${{ vars.LEVEL }}
  PRICE: 5$
defaults: { run: { working-directory: /srv/app } }
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    strategy:
      fail-fast: false
      matrix:
        os: [debian, alpine]
        node: [22, 24]
        exclude: [{ os: alpine, node: 22 }]
        include: [{ os: debian, node: 24, extra: yes }]
    steps:
      - uses: actions/checkout@v4
      - name: Run the tests
        run: |
          echo \${{ matrix.os }} \${{ matrix.node }} \${{ inputs.dry-run }}
          npm test -- "$LEVEL"
        env: { TOKEN: '\${{ secrets.NPM_TOKEN }}' }
  publish:
    needs: test
    runs-on: [self-hosted, big]
    steps:
      - id: push
        run: ./push.sh \${{ github.sha }}
        shell: bash
        working-directory: out
        continue-on-error: true
      - run: echo done >> $GITHUB_OUTPUT
        if: always()
`

describe('a workflow', () => {
  const { dag, notes } = dagOf(nightly)

  test('becomes one DAG with its schedule, inputs, variables and secrets', () => {
    expect(dag).toMatchObject({
      description: 'Nightly build',
      type: 'graph',
      schedule: ['CRON_TZ=UTC 17 3 * * 1-5'],
      params: [{ dry_run: 'true' }],
      env: [{ LEVEL: '${LEVEL}' }, { PRICE: '5\\$' }],
      secrets: [{ name: 'NPM_TOKEN', provider: 'env', key: 'NPM_TOKEN' }],
    })
  })

  test('has the steps of every job of the matrix, in the order of needs', () => {
    const steps = Object.fromEntries(dag.steps.map((step) => [step.name, step]))
    expect(Object.keys(steps)).toEqual([
      'test-debian-22-1',
      'test-debian-22-Run-the-tests',
      'test-debian-24-yes-1',
      'test-debian-24-yes-Run-the-tests',
      'test-alpine-24-1',
      'test-alpine-24-Run-the-tests',
      'publish-push',
      'publish-2',
    ])
    expect(steps['test-alpine-24-Run-the-tests']).toEqual({
      name: 'test-alpine-24-Run-the-tests',
      depends: ['test-alpine-24-1'],
      env: [{ TOKEN: '${NPM_TOKEN}' }],
      workingDir: '/srv/app',
      timeoutSec: 600,
      shell: '/bin/bash -e',
      script: 'echo alpine 24 ${dry_run}\nnpm test -- "$LEVEL"\n',
    })
    expect(steps['publish-push']).toMatchObject({
      depends: [
        'test-debian-22-Run-the-tests',
        'test-debian-24-yes-Run-the-tests',
        'test-alpine-24-Run-the-tests',
      ],
      workingDir: 'out',
      shell: '/bin/bash --noprofile --norc -eo pipefail',
      script: './push.sh ${{ github.sha }}\n',
      continueOn: { failure: true },
    })
  })

  test('a step that uses an action fails and says so', () => {
    expect(dag.steps[0]?.script).toBe("echo 'write a command for actions/checkout@v4' >&2\nexit 1\n")
    expect(notes).toContain('actions/checkout@v4 has no counterpart')
  })

  test('notes what differs', () => {
    for (const part of [
      'on push',
      'github.sha',
      'workerSelector',
      'not used: if',
      'GITHUB_OUTPUT',
      'NPM_TOKEN',
    ])
      expect(notes).toContain(part)
  })
})

test.each([
  ['jobs: {a: {needs: b, steps: [{run: x}]}, b: {needs: a, steps: [{run: x}]}}', 'need each other'],
  ['jobs: {a: {strategy: {matrix: "${{ fromJSON(x) }}"}, steps: [{run: x}]}}', 'expression'],
  ['on: {schedule: [{cron: "0 99 * * *"}]}\njobs: {}', 'hour'],
  ['jobs: {}', 'no steps'],
  ['a: [', ''],
  ['', 'no steps'],
])('%j is refused: %s', (text, why) => {
  expect(readWorkflow(text, 'x.yaml').fault).toContain(why)
})

test('a matrix of too many combinations is refused', () => {
  const many = Array.from({ length: 20 }, (_, index) => index)
  expect(combinations({ a: many, b: many })).toContain('256')
  expect(combinations({ include: [{ a: 1 }, { a: 2 }] })).toEqual([{ a: 1 }, { a: 2 }])
})

test('__proto__ and constructor are ordinary names', () => {
  const { dag } = dagOf('env: {__proto__: a}\njobs: {__proto__: {steps: [{run: x, name: constructor}]}}')
  expect(dag.steps.map(({ name }) => name)).toEqual(['__proto__-constructor'])
})
