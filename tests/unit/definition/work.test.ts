import { describe, expect, it } from 'vitest'
import { executorTypes } from '#lib/definition/definition.ts'
import { dagOf, faultsOf, stepFaults, stepOf, stepsOf } from './spec-reading.ts'

const aText = 'a text (in quotes, if it looks like a number, true or false)'

describe('commands and scripts', () => {
  it.each<[string, object]>([
    ['command: echo a', { commands: ['echo a'], script: undefined }],
    ['command: "  echo a  "', { commands: ['echo a'] }],
    ['command: >\n  echo a\n  b\n', { commands: ['echo a b'] }],
    ['command: [echo a, "echo b", 5, true]', { commands: ['echo a', 'echo b', '5', 'true'] }],
    ['command: |\n  echo a\n  echo b\n', { commands: [], script: 'echo a\necho b\n' }],
    ['command: ["echo a\\necho b"]', { commands: [], script: 'echo a\necho b' }],
    ['command: ["echo a\\necho b", c]', { commands: ['echo a\necho b', 'c'], script: undefined }],
    ['script: echo a', { commands: [], script: 'echo a' }],
    ['command: awk -f\nscript: BEGIN {}', { commands: ['awk -f'], script: 'BEGIN {}' }],
    ['type: shell\ncommand: a', { executor: { type: 'shell', config: {} } }],
    ['type: ""\ncommand: a', { executor: { type: 'shell', config: {} } }],
    ['executor: command\ncommand: a', { executor: { type: 'shell', config: {} } }],
    ['executor: {}\ncommand: a', { executor: { type: 'shell', config: {} } }],
    [
      'type: SSH\nconfig: {host: h}\ncommand: "a\\nb"',
      { commands: [], script: 'a\nb', executor: { type: 'ssh' } },
    ],
  ])('are read from %j', (fields, step) => {
    expect(stepOf(fields)).toMatchObject(step)
  })

  it.each([
    ['command: ""', 'command must not be empty'],
    ['command: "   "', 'command must not be empty'],
    ['command: []', 'command must not be an empty list'],
    ['command: [a, " "]', 'command[1] must not be empty'],
    [
      'command: {a: b}',
      'command must be a command, or a list of commands (in quotes, if one looks like a number, ' +
        'true or false), is a map {a: "b"}',
    ],
    ['command: [{a: b}]', 'command[0] must be a text or a number, is a map {a: "b"}'],
    ['script: " "', 'script must not be empty'],
    ['type: shell', 'has nothing to do: give it a command, a script, or a DAG to call'],
  ])('are refused: %j', (fields, fault) => {
    expect(stepFaults(fields)).toEqual([`step "s"${fault.startsWith('has') ? '' : ':'} ${fault}`])
  })

  it('are refused when the text is empty', () => {
    expect(faultsOf('steps: ["  "]')).toEqual(['line 1, column 9: step 1: command must not be empty'])
  })
})

describe('types of executors', () => {
  const offered = executorTypes.join(', ')

  it.each([
    ['executor: teleport\ncommand: a', `executor must be one of ${offered}, is "teleport"`],
    [
      'executor: {type: htp}\ncommand: a',
      `executor.type must be one of ${offered}, is "htp", did you mean http?`,
    ],
    ['type: gha\ncommand: a\nparams: {x: y}', `type must be one of ${offered}; "gha" is not offered here`],
    ['type: chat', `type must be one of ${offered}; "chat" is not offered here`],
    [
      'executor: jq\ntype: jq\ncommand: .',
      'executor must not be combined with type and config, which mean the same',
    ],
    [
      'executor: jq\nconfig: {raw: true}\ncommand: .',
      'executor must not be combined with type and config, which mean the same',
    ],
    ['executor: jq\ncall: a', 'call must not be in a step of type jq; it belongs to type dag'],
    ['executor: jq\ncontainer: a', 'container must not be in a step of type jq; it belongs to type docker'],
    ['executor: jq', 'needs command, the filter'],
    ['executor: http', 'needs command, a method and an address such as GET https://example.org'],
    [
      'executor: http\nscript: "{}"',
      'needs command, a method and an address such as GET https://example.org',
    ],
    ['type: ssh\nconfig: {host: a}', 'needs command or script, which runs on the other machine'],
    ['executor: dag', 'needs call, the name of the DAG to run'],
    ['executor: dag\ncommand: a\nscript: b', 'script must not be given: steps of type dag take none'],
    ['executor: jq\ncommand: [., .]', 'command must be one: steps of type jq take no list'],
    ['executor: jq\ncommand: .\nshell: bash', 'shell must not be given: steps of type jq have none'],
    [
      'executor: {type: mail, config: {to: a@b}}\ncommand: x',
      'command must not be given: steps of type mail take none',
    ],
    [
      'executor: http\ncommand: https://example.org',
      'command must be a method and an address, such as GET https://example.org, is "https://example.org"',
    ],
  ])('are checked: %j', (fields, fault) => {
    const [first, ...others] = stepFaults(fields)
    expect(first).toBe(`step "s"${fault.startsWith('needs') ? '' : ':'} ${fault}`)
    expect(others).toEqual([])
  })
})

describe('http steps', () => {
  it('have normalised settings', () => {
    const fields =
      'executor:\n  type: http\n  config: {TIMEOUT: 1.5, headers: {X-A: 1, x-b: $B}, query: {q: ' +
      '1.50}, body: {a: [1]}, silent: true, skip_tls_verify: true, json: false}\ncommand: GET $URL'
    expect(stepOf(fields).executor).toEqual({
      type: 'http',
      config: {
        timeout: 1.5,
        headers: { 'X-A': '1', 'x-b': '$B' },
        query: { q: '1.50' },
        body: '{"a":[1]}',
        silent: true,
        skipTLSVerify: true,
        json: false,
      },
    })
    expect(stepOf('type: http\nconfig: {timeout: "${T}"}\ncommand: $REQUEST').executor.config).toEqual({
      timeout: '${T}',
    })
  })

  it.each([
    ['{timeout: soon}', 'config.timeout must be seconds, is "soon"'],
    ['{timeout: -1}', 'config.timeout must be seconds, from 0 on, is -1'],
    ['{silent: yes}', 'config.silent must be true or false, is "yes"'],
    ['[a]', 'config must be a map of settings, is a list ["a"]'],
  ])('are refused with %s', (config, fault) => {
    expect(stepFaults(`type: http\nconfig: ${config}\ncommand: GET http://x`)).toEqual([`step "s": ${fault}`])
  })
})

describe('mail steps', () => {
  it('have their settings and the server of the DAG', () => {
    const [step] = dagOf(
      'smtp: {host: h, port: "25"}\nsteps:\n- executor:\n    type: mail\n    config: {to: "a@b, ' +
        'c@d", from: e@f, subject: s, message: "m\\nn", attachments: x.txt, contentType: text/html}\n',
    ).steps
    expect(step).toMatchObject({ name: 'mail_1', commands: [] })
    expect(step?.executor.config).toEqual({
      to: ['a@b', 'c@d'],
      from: 'e@f',
      subject: 's',
      message: 'm\nn',
      attachments: ['x.txt'],
      contentType: 'text/html',
      smtp: { host: 'h', port: '25', username: undefined, password: undefined },
    })
    expect(stepOf('type: mail\nconfig: {to: [a@b]}').executor.config).toEqual({
      to: ['a@b'],
      subject: '',
      message: '',
      attachments: [],
    })
  })

  it.each([
    ['{from: a@b}', 'config needs to, the address of whom the mail is for'],
    ['{to: 5}', 'config.to must be a text or a list of texts, is 5'],
    ['{to: ["a@b\\nBcc: c@d"]}', 'config.to must be one line'],
    ['{to: a@b, subject: "x\\ny"}', 'config.subject must be one line'],
    ['{to: a@b, from: "x\\ry"}', 'config.from must be one line'],
  ])('are refused with %s', (config, fault) => {
    expect(stepFaults(`type: mail\nconfig: ${config}`)).toEqual([`step "s": ${fault}`])
  })
})

describe('ssh steps', () => {
  it('add their own settings to those of the DAG', () => {
    const text =
      'ssh: {user: u, ip: h, port: 2222, key: /k, strict_host_key: false}\nsteps:\n- {type: ssh, ' +
      'command: a}\n- {type: ssh, config: {host: o, port: "22"}, command: a, shell: bash -l}\n'
    const dag = dagOf(text)
    const own = { user: 'u', host: 'h', port: 2222, key: '/k', strictHostKey: false }
    expect(dag.ssh).toEqual(own)
    expect(dag.steps.map(({ executor }) => executor.config)).toEqual([
      own,
      { ...own, host: 'o', port: '22', shell: 'bash -l' },
    ])
    expect(dag.steps[1]?.shell).toBeUndefined()
  })

  it('need a host, if they have settings at all', () => {
    const fault = 'needs host, in its config or in the ssh field of the DAG'
    expect(stepFaults('type: ssh\nconfig: {user: a}\ncommand: b')).toEqual([`step "s": config ${fault}`])
    expect(stepFaults('type: ssh\ncommand: b')).toEqual([])
  })

  it('have one fault for a host that is not a text', () => {
    const fault = `must be ${aText}, is 1`
    expect(stepFaults('type: ssh\nconfig: {host: 1}\ncommand: b')).toEqual([`step "s": config.host ${fault}`])
    expect(faultsOf('ssh: {host: 1}\nsteps: [a]\n')).toEqual([`line 1, column 13: ssh.host ${fault}`])
  })

  it('are all steps and handlers without an executor in a DAG with an ssh field', () => {
    const dag = dagOf(
      'ssh: {user: u, host: h}\nsteps: [uptime, {script: "a\\nb"}, ' +
        '{type: shell, command: c}, {type: jq, command: .a}, {call: d}]\n' +
        'handlerOn: {exit: {command: e}}\n',
    )
    expect(dag.steps.map(({ executor }) => executor.type)).toEqual(['ssh', 'ssh', 'shell', 'jq', 'dag'])
    expect(dag.steps[0]?.executor.config).toEqual({ user: 'u', host: 'h' })
    expect(dag.handlers.exit?.executor.type).toBe('ssh')
  })

  it('must name their type in a DAG that also has a container', () => {
    const dag = dagOf('ssh: {user: u, host: h}\ncontainer: {image: i}\nsteps: [a, {type: ssh, command: b}]\n')
    expect(dag.steps.map(({ executor }) => executor.type)).toEqual(['docker', 'ssh'])
  })

  it('say which field made them ssh steps, and how a step runs on the runner', () => {
    expect(faultsOf('ssh: {user: u}\nsteps: [{name: s, command: [a, b]}]\n')).toEqual([
      'line 2, column 9: step "s" needs host, in its config or in the ssh field of the DAG',
      'line 2, column 28: step "s": command must be one: steps of type ssh take no list; ' +
        'the ssh field of the DAG makes it one, type: shell runs on the runner',
    ])
  })
})

describe('jq steps', () => {
  it('have a filter and its input', () => {
    expect(
      stepOf("executor: {type: jq, config: {raw: true}}\ncommand: |\n  .a\n  | .b\nscript: '{}'"),
    ).toMatchObject({
      executor: { type: 'jq', config: { raw: true } },
      commands: ['.a\n| .b'],
      script: '{}',
    })
  })
})

describe('steps that call a DAG', () => {
  it.each<[string, object]>([
    ['call: child', { dag: 'child', params: undefined, parallel: undefined }],
    ['run: " child "', { dag: 'child' }],
    ['executor: dag\ncommand: child', { dag: 'child' }],
    ['type: subworkflow\ncall: child', { dag: 'child' }],
    ['call: ${NAME}\nparams: A=1 "b c"', { dag: '${NAME}', params: 'A=1 "b c"' }],
    [
      'call: c\nparams: {A: 1.50, B: "x \\"y\\"", C: $ITEM, D: [1, {e: 2}]}',
      { params: 'A="1.50" B="x \\"y\\"" C="$ITEM" D="[1,{\\"e\\":2}]"' },
    ],
    ['call: c\nparams: [A=1, "b", {C: d e}]', { params: 'A="1" "b" C="d e"' }],
    ['call: c\nparallel: ${LIST}', { parallel: { items: '${LIST}', maxConcurrent: 10 } }],
    [
      'call: c\nparallel: [a, 1.50, true, {h: w1, p: 81}, [1]]',
      { parallel: { items: ['a', '1.50', 'true', '{"h":"w1","p":81}', '[1]'], maxConcurrent: 10 } },
    ],
    ['call: c\nparallel: {items: [a], maxConcurrent: 2}', { parallel: { items: ['a'], maxConcurrent: 2 } }],
    ['call: c\nparallel: {items: $L}', { parallel: { items: '$L', maxConcurrent: 10 } }],
    ['executor: parallel\ncall: c\nparallel: [a]', { dag: 'c' }],
  ])('are read from %j', (fields, child) => {
    const step = stepOf(fields)
    expect(step).toMatchObject({ executor: { type: 'dag', config: {} }, commands: [], child })
  })

  it.each([
    ['call: ""', 'call must name a DAG, is empty'],
    ['call: a\ncommand: b', 'command must not be combined with call: a step runs either a command or a DAG'],
    ['parallel: [a]', 'parallel needs call, the DAG to run for each item'],
    ['call: a\nparallel: []', 'parallel must have 1 to 1000 items, has 0'],
    [`call: a\nparallel: [${'1,'.repeat(1_001)}]`, 'parallel must have 1 to 1000 items, has 1001'],
    ['call: a\nparallel: " "', 'parallel must be a list, or a text with a variable, is empty'],
    ['call: a\nparallel: {items: [1], maxConcurrent: 0}', 'parallel.maxConcurrent must be at least 1'],
    ['call: a\nparallel: {maxConcurrent: 1}', 'parallel needs items'],
    ['call: a\nscript: b', 'script must not be given: steps of type dag take none'],
  ])('are refused: %j', (fields, fault) => {
    expect(stepFaults(fields)).toEqual([`step "s": ${fault}`])
  })
})

describe('docker steps', () => {
  const nothing = {
    pull: 'missing',
    autoRemove: false,
    container: {},
    host: {},
    network: {},
    exec: { env: [] },
    registryAuths: {},
  }
  const config = (fields: string): unknown => stepOf(fields).executor.config

  it('have normalised settings, and those of the engine as written', () => {
    expect(
      config(
        `executor:
  type: docker
  config:
    image: alpine
    container_name: c
    pull: true
    autoremove: true
    platform: linux/amd64
    workingDir: /w
    volumes: ["/a:/b"]
    container: {Env: {A: 1}, exposedPorts: {80/tcp: {}}, StopTimeout: 5}
    host: {Binds: ["/c:/d:ro"], portBindings: {80/tcp: [{hostIP: 127.0.0.1, hostPort: "8080"}]}, CapDrop: [ALL]}
    network: {endpointsconfig: {n: {Aliases: [x]}}}
    exec: {user: root, workingDir: /e, env: [B=2]}
`,
      ),
    ).toEqual({
      image: 'alpine',
      containerName: 'c',
      pull: 'always',
      autoRemove: true,
      platform: 'linux/amd64',
      container: { workingDir: '/w', env: ['A=1'], exposedPorts: { '80/tcp': {} }, StopTimeout: 5 },
      host: {
        binds: ['/a:/b', '/c:/d:ro'],
        portBindings: { '80/tcp': [{ hostIP: '127.0.0.1', hostPort: '8080' }] },
        CapDrop: ['ALL'],
      },
      network: { EndpointsConfig: { n: { Aliases: ['x'] } } },
      exec: { user: 'root', workingDir: '/e', env: ['B=2'] },
      registryAuths: {},
    })
    expect(config('type: docker\nconfig: {containerName: c, pull: false, host: {autoRemove: true}}')).toEqual(
      {
        ...nothing,
        containerName: 'c',
        pull: 'never',
        autoRemove: true,
        host: { autoRemove: true },
      },
    )
  })

  it('may be written with container', () => {
    expect(config('container: name')).toMatchObject({ ...nothing, containerName: 'name' })
    expect(
      config('container: {exec: name, user: 1000, workDir: /w, env: {A: b}}\ncommand: [a, b]'),
    ).toMatchObject({
      ...nothing,
      containerName: 'name',
      exec: { user: '1000', workingDir: '/w', env: ['A=b'] },
    })
    expect(
      config(
        `container:
  image: alpine
  name: n
  pullPolicy: never
  env: [A=b]
  volumes: ["/a:/b"]
  user: u
  workingDir: /w
  platform: p
  ports: [80, "8080:81", "127.0.0.1:8082:82/udp", "\${P}:83"]
  network: host
  restartPolicy: always
  startup: command
  command: sleep 5
  waitFor: healthy
  logPattern: ready
`,
      ),
    ).toEqual({
      image: 'alpine',
      containerName: 'n',
      pull: 'never',
      autoRemove: true,
      platform: 'p',
      container: {
        user: 'u',
        workingDir: '/w',
        env: ['A=b'],
        exposedPorts: { '80/tcp': {}, '81/tcp': {}, '82/udp': {}, '83/tcp': {} },
      },
      host: {
        binds: ['/a:/b'],
        networkMode: 'host',
        restartPolicy: { name: 'always' },
        portBindings: {
          '81/tcp': [{ hostPort: '8080' }],
          '82/udp': [{ hostIP: '127.0.0.1', hostPort: '8082' }],
          '83/tcp': [{ hostPort: '${P}' }],
        },
      },
      network: {},
      exec: { env: [] },
      startup: 'command',
      command: ['sleep 5'],
      waitFor: 'healthy',
      logPattern: 'ready',
      registryAuths: {},
    })
  })

  it('are all steps without another executor in a DAG with a container, and share it', () => {
    const dag = dagOf(
      'container: {image: alpine, keepContainer: true}\nregistryAuths: {r: {username: u, password: ' +
        'p}}\nsteps:\n- echo a\n- {type: docker, command: b}\n- {type: shell, command: c}\n- ' +
        '{executor: jq, command: .}\n',
    )
    expect(dag.steps.map(({ name, executor }) => [name, executor.type])).toEqual([
      ['docker_1', 'docker'],
      ['docker_2', 'docker'],
      ['cmd_3', 'shell'],
      ['jq_4', 'jq'],
    ])
    expect(dag.container).toMatchObject({
      image: 'alpine',
      autoRemove: false,
      startup: 'keepalive',
      waitFor: 'running',
      command: [],
    })
    expect(dag.steps[0]?.executor.config).toMatchObject({
      shared: dag.container,
      registryAuths: { r: { username: 'u', password: 'p' } },
    })
  })

  it.each([
    ['type: docker\nconfig: {pull: missing}', 'config needs image or containerName'],
    ['type: docker\nconfig: {image: " "}', 'config needs image or containerName'],
    ['type: docker', 'needs image or containerName'],
    ['type: docker\nconfig:', 'needs image or containerName'],
    ['type: docker\nconfig: {image: }', 'config needs image or containerName'],
    ['type: docker\nconfig: {image: 1}', `config.image must be ${aText}, is 1`],
    ['type: docker\nconfig: {name: 1}', `config.name must be ${aText}, is 1`],
    [
      'type: docker\nconfig: {image: a, pull: often}',
      'config.pull must be always, missing or never, is "often"',
    ],
    [
      'type: docker\nconfig: {image: a, host: {binds: a}}',
      'config.host.binds must be a list of host:container texts, is "a"',
    ],
    [
      'type: docker\nconfig: {image: a, host: [b]}',
      'config.host must be a map of settings of the host, is a list ["b"]',
    ],
    [
      'type: docker\nconfig: {image: a}\nscript: b',
      'script must not be given: steps of type docker take none',
    ],
    [
      'container: {}',
      'container must have either image, to make a container, or exec, the name of a running one',
    ],
    [
      'container: {image: a, exec: b}',
      'container must have either image, to make a container, or exec, the name of a running one',
    ],
    ['container: ""', 'container must name a container, is empty'],
    [
      'container: {image: a, ports: [x]}',
      'container.ports[0] must be a port such as 80, 8080:80 or 127.0.0.1:8080:80/tcp, is "x"',
    ],
    ['container: {image: a, healthcheck: {}}', 'container: the field "healthcheck" is not offered here'],
    ['container: a\nconfig: {image: b}', 'config must not be combined with container'],
  ])('are refused: %j', (fields, fault) => {
    expect(stepFaults(fields)).toEqual([`step "s"${fault.startsWith('needs') ? '' : ':'} ${fault}`])
  })

  it('say how to run a script outside of the container', () => {
    expect(faultsOf('container: a\nsteps: [{script: b}]')).toEqual([
      'line 2, column 18: step 1: script must not be given: steps of type docker take none; they ' +
        'run in the container of the DAG, type: shell runs outside of it',
    ])
  })

  it('do not affect steps without a container', () => {
    expect(stepsOf('- {container: {image: a}}\n- b').map(({ executor }) => executor.type)).toEqual([
      'docker',
      'shell',
    ])
  })
})
