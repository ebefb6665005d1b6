import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callerAddress } from '#lib/api/auth/caller-address.ts'
import { readLogPosition } from '#lib/api/streams/follow-log.ts'
import { presentStep } from '#lib/api/present/step.ts'
import { pathAtNode } from '#lib/api/remote-nodes/remote-nodes.ts'
import { versionOf } from '#lib/api/answers/spec-etag.ts'
import { displayParams } from '#lib/definition/params/display-params.ts'
import { paramsText } from '#lib/definition/params/params-text.ts'
import { readGivenParams, readParamText } from '#lib/definition/params/read-params.ts'
import { CheckEffort, checkText } from '#lib/definition/params/value-schema.ts'
import { plainScalar } from '#lib/definition/yaml/plain-scalar.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { parseCron } from '#lib/definition/schedules/parse-cron.ts'
import { conditionMatches } from '#lib/definition/values/condition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import { outputMatches } from '#lib/definition/values/output-matcher.ts'
import { parallelItems } from '#lib/definition/values/parallel-items.ts'
import type { Scope } from '#lib/definition/values/scope.ts'
import { shellTexts } from '#lib/definition/values/shell-text.ts'
import { argumentVector } from '#lib/definition/reading/words.ts'
import { childParams } from '#lib/executors/dag/child-params.ts'
import { absoluteBind, bindSource, realPath } from '#lib/executors/docker/binds.ts'
import { credentialsFor } from '#lib/executors/docker/registry-auth.ts'
import { faultOf } from '#lib/executors/docker/engine-fault.ts'
import { readImage, requireImage, requireName } from '#lib/executors/docker/names.ts'
import { readRequest } from '#lib/executors/http/request.ts'
import { inTurns } from '#lib/executors/in-turns.ts'
import { readFilter } from '#lib/executors/jq/filter.ts'
import { readAddresses } from '#lib/executors/mail/addresses.ts'
import { mailExecutor } from '#lib/executors/mail/run.ts'
import { plainWords } from '#lib/executors/shell/plain-command.ts'
import { programsOf } from '#lib/executors/shell/programs.ts'
import { quoteWord, splitWords } from '#lib/definition/values/split-words.ts'
import { keepTail } from '#lib/executors/shell/stderr-tail.ts'
import { awaitStart } from '#lib/executors/ssh/first-line.ts'
import { knownKeys } from '#lib/executors/ssh/known-hosts.ts'
import { remoteProgram } from '#lib/executors/ssh/remote-program.ts'
import { maskBytes } from '#lib/runner/log/mask-bytes.ts'
import { countFeeds } from '#lib/logs/scan-lines.ts'
import { readDotenvFiles } from '#lib/runner/inputs/dotenv-files.ts'
import { processEnvironment } from '#lib/runner/inputs/process-environment.ts'
import { runCommand } from '#lib/runner/inputs/run-command.ts'
import { readTraceparent } from '#lib/telemetry/trace-context.ts'
import { crontabLines } from '#lib/definition/crontab/crontab-lines.ts'
import { readCrontab } from '#lib/definition/crontab/read-crontab.ts'
import { readWorkflow } from '#lib/definition/converters/actions/read-workflow.ts'
import { readEvents } from '#lib/definition/converters/cronicle/read-events.ts'
import { readExport } from '#lib/definition/converters/cronicle/read-export.ts'
import { differencesOf } from '#lib/definition/converters/dagu/differences.ts'
import { readTimers } from '#lib/definition/converters/systemd/read-timers.ts'
import { paramsOfWords } from '#local/cli/params.ts'
import { stepContext } from '#tests/executors/step-context.ts'
import { hostileMsMax, hostileTexts, leastTime } from '#tests/support/hostile-texts.ts'
import { sampleStep } from '#tests/support/sample-definition.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const msMax = await hostileMsMax()

const scope: Scope = { variables: new Map([['A', '{"a":[1]}']]), positional: ['a'], steps: new Map() }
const asWritten = (command: string): Promise<string> => Promise.resolve(command)
const nowhere = (): undefined => undefined
const folder = temporaryFolder('hostile')
const written = (text: string): string => {
  const file = join(folder, 'text')
  writeFileSync(file, text)
  return file
}
const { context } = stepContext()
const position = { ...context, shell: ['sh'], signalOnStop: 'SIGTERM' }
const smtp = { host: '', port: '25' }
const mail = { smtp, from: 'a@b', to: ['a@b'], subject: 's', attachments: [] }
const engine = { address: 'tcp://engine', isOfStep: true }

type Parser = (text: string) => unknown

const parsers: Record<string, Record<string, Parser>> = {
  values: {
    // Each pair of backticks is a command, and becomes a process.
    expand: (text) => expand(text.replaceAll('`', ''), scope, asWritten),
    'expand in a default': (text) => expand(`\${A:+${text.replaceAll('`', '')}}`, scope, asWritten),
    shellTexts: (text) => shellTexts([`\${A.a} ${text}`], scope),
    'shellTexts within single quotes': (text) => shellTexts([`\${A.a} sh -c '${text}'`], scope),
    'a condition': (text) => inTurns(conditionMatches(text, 'a')),
    'a condition with a pattern': (text) => inTurns(conditionMatches(text, 're:^(a+ ?)+[xy]$')),
    'the value of a reference': (text) =>
      expand(
        '${T.a}${T[0]}${T:1:5}${T:999999:1}',
        { ...scope, variables: new Map([['T', text]]) },
        asWritten,
      ),
    parallelItems,
    argumentVector,
    plainScalar,
    parseCron,
  },
  params: {
    readParamText,
    readGivenParams,
    'readGivenParams of JSON': (text) => readGivenParams(JSON.stringify({ a: text })),
    paramsText: (text) => paramsText([{ name: 'a', value: text }]),
    displayParams: (text) => displayParams([{ name: 'a', value: text }]),
    'a schema': (text) =>
      checkText(
        { type: ['integer', 'number', 'object', 'array'], minLength: 3 },
        text,
        'a',
        new CheckEffort(),
      ),
    'a pattern of a schema': (text) =>
      checkText({ type: 'string', pattern: '^(a+ ?)+[xy]$' }, text, 'a', new CheckEffort()),
    childParams: (text) => childParams(text.slice(0, 262_144), scope, asWritten),
    'words of a command line': (text) => paramsOfWords([text, `a=${text}`]),
  },
  executors: {
    'a request': (text) => readRequest({ ...context, commands: [text] }),
    'the address of a request': (text) => readRequest({ ...context, commands: [`GET http://a/${text}`] }),
    'the configuration of a request': (text) =>
      readRequest({ ...context, commands: ['GET http://a'], script: text }),
    splitWords: (text) => splitWords(text),
    quoteWord,
    plainWords,
    'a script': (text) => programsOf({ ...context, script: `#!${text}` }),
    readAddresses: (text) => readAddresses('to', [text]),
    'a mail': (text) => mailExecutor.run({ ...context, config: { ...mail, message: text } }),
    'the type of a mail': (text) =>
      mailExecutor.run({ ...context, config: { ...mail, message: '', contentType: text } }),
    readFilter: (text) => readFilter(text, { A: 'a' }),
    'known hosts': (text) => knownKeys(text, 'host', 22),
    'the pattern of a known host': (text) =>
      knownKeys(`${text.replaceAll(/\s/g, '*')} ssh-rsa AAAA`, 'host', 22),
    'a remote program': (text) => remoteProgram({ ...context, script: text, shell: undefined }, 'mark'),
    'the banner of a remote machine': (text) => awaitStart('mark', nowhere).sink(Buffer.from(text)),
    'the fault of an engine': (text) => faultOf(Object.assign(new Error(text), { statusCode: 500 }), engine),
    requireName: (text) => requireName(text, 'container'),
    requireImage,
    readImage,
    bindSource,
    absoluteBind: (text) => absoluteBind(text, context),
    realPath: (text) => realPath(`/${text}`, true),
    'the name of a registry': (text) =>
      credentialsFor(text, { [text]: { username: '', password: '' } }, context, engine),
  },
  output: {
    keepTail: (text) => keepTail(nowhere).sink(Buffer.from(text)),
    maskBytes: (text) =>
      maskBytes(['a'.repeat(5_000), `${'\n'.repeat(5_000)}x`, 'b']).push(Buffer.from(text)),
    countFeeds: (text) => countFeeds(Buffer.from(text)),
    'continueOn.output': async (text) => {
      const matcher = outputMatches(['b'.repeat(9), `${'a'.repeat(5_000)}b`, 're:^(a+ ?)+[xy]$'])
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += 65_536)
        await inTurns(matcher.push(bytes.subarray(at, at + 65_536)))
      await inTurns(matcher.end())
    },
    processEnvironment: (text) => processEnvironment([[text, text]]),
    'the output of a command': (text) => runCommand(`cat ${written(text)}`, position),
    'a dotenv file': (text) => readDotenvFiles([written(text)], folder, []),
  },
  api: {
    presentStep: (text) => presentStep({ ...sampleStep('a'), commands: [text] }),
    versionOf,
    readLogPosition,
    readTraceparent,
    callerAddress: (text) =>
      callerAddress({ socket: {}, headers: { 'x-forwarded-for': text.slice(0, 16_384) } } as never, ['a']),
    pathAtNode: (text) => pathAtNode('/dags/{fileName}', { fileName: 'a' }, `a=${text.slice(0, 16_384)}`),
    readCrontab: (text) => readCrontab(crontabLines(Buffer.from(text))),
    readTimers: (text) =>
      readTimers(
        new Map([
          ['a.timer', `[Timer]\nOnCalendar=daily\nOnCalendar=${text}`],
          ['a.service', `[Service]\nExecStart=${text}\nEnvironment=${text}\n${text}`],
        ]),
      ),
    readWorkflow: (text) => readWorkflow(text, 'a.yml'),
    readWorkflowScript: (text) =>
      readWorkflow(JSON.stringify({ jobs: { a: { steps: [{ run: text, env: { A: text } }] } } }), 'a.yml'),
    readExport: (text) => {
      try {
        return readEvents(readExport(`global/schedule/0 - ${text}`))
      } catch (error) {
        return error
      }
    },
    readEvents: (text) =>
      readEvents([
        { title: text, plugin: 'urlplug', params: { url: text, headers: text, data: text }, notes: text },
      ]),
    differencesOf,
  },
}

describe.each(Object.entries(parsers))('%s', (_group, parsersOfGroup) => {
  test.each(Object.entries(parsersOfGroup))('%s takes linear time for any mebibyte', async (_name, parse) => {
    const slow: string[] = []
    for (const [title, text] of hostileTexts) {
      const ms = await leastTime(() => parse(text), msMax)
      if (ms > msMax) slow.push(`${title}: ${Math.round(ms)} ms`)
    }
    expect(slow).toEqual([])
  })
})

test('a DAG file of a mebibyte is read within half a second, whatever it contains', async () => {
  const slow: string[] = []
  for (const [title, text] of hostileTexts) {
    const ms = await leastTime(() => readSpec(text, { fileName: 'a' }), 500)
    if (ms > 500) slow.push(`${title}: ${Math.round(ms)} ms`)
  }
  expect(slow).toEqual([])
})
