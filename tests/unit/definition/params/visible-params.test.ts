import { describe, expect, test } from 'vitest'
import type { Definition } from '#lib/definition/definition.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { isCodeName, isReservedName } from '#lib/definition/params/reserved-names.ts'
import { paramVisibility, splitParams } from '#lib/definition/params/visible-params.ts'

function definition(lines: string): Definition {
  const { dag, problems } = readSpec(`${lines}\nsteps:\n  - echo\n`, { fileName: 'demo' })
  expect(problems).toEqual([])
  return dag
}

function sees(lines: string, name: string, defined: readonly string[] = []): boolean {
  return paramVisibility(definition(lines), (one) => defined.includes(one))(name)
}

const codeNames =
  'ENV BASH_ENV BASH_FUNC_x BASHOPTS SHELLOPTS IFS PS4 PROMPT_COMMAND CDPATH GLOBIGNORE PATH HOME SHELL ' +
  'LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH LOCPATH NLSPATH HOSTALIASES RES_OPTIONS ' +
  'LOCALDOMAIN MALLOC_PERTURB_ GLIBC_TUNABLES TZDIR TERMINFO NODE_OPTIONS NODE_PATH npm_config_prefix ' +
  'NPM_CONFIG_registry PYTHONPATH PYTHONSTARTUP PYTHONWARNINGS PIP_INDEX_URL PERL5OPT PERL5LIB PERLLIB RUBYOPT ' +
  'RUBYLIB PHPRC PHP_INI_SCAN_DIR LUA_INIT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH ' +
  'DOTNET_STARTUP_HOOKS MAKEFLAGS CARGO_HOME RUSTC_WRAPPER RUSTFLAGS GOFLAGS EDITOR VISUAL PAGER BROWSER LESSOPEN ' +
  'LESSCLOSE MANPAGER GIT_SSH_COMMAND GIT_EXEC_PATH GIT_CONFIG_COUNT SSH_ASKPASS SSL_CERT_FILE OPENSSL_CONF ' +
  'DBUS_SESSION_BUS_ADDRESS TAR_OPTIONS RSYNC_RSH RESTIC_PASSWORD_COMMAND RCLONE_PASSWORD_COMMAND BORG_RSH ' +
  'BORG_PASSCOMMAND PYSPARK_PYTHON SPARK_SUBMIT_OPTS KAFKA_OPTS ES_JAVA_OPTS OMP_TOOL_LIBRARIES ' +
  'CUDA_INJECTION64_PATH VK_ICD_FILENAMES OMPI_MCA_plm_rsh_agent GST_PLUGIN_PATH GDAL_DRIVER_PATH GNUPGHOME ' +
  'RIPGREP_CONFIG_PATH SYSTEMD_PAGER NIX_CONFIG JYTHONPATH'

const settingNames =
  'TMPDIR AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN PGHOST PGPASSWORD DATABASE_URL DOCKER_HOST KUBECONFIG SSH_AUTH_SOCK ' +
  'http_proxy HTTPS_PROXY No_Proxy all_PROXY CURL_SSL_BACKEND NODE_ENV PYTHONUNBUFFERED GIT_AUTHOR_NAME ' +
  'MILLRACE_AUTH_TOKEN DAG_NAME DAG_PARAMS_JSON DAGU_PARAMS_JSON TRACEPARENT OTEL_EXPORTER_OTLP_HEADERS LC_ALL TZ'

describe('a name that the file does not declare', () => {
  test.each(`${codeNames} ${settingNames}`.split(' '))('such as %s stays data', (name) => {
    expect(isReservedName(name)).toBe(true)
    expect(sees('', name)).toBe(false)
    expect(sees('params: OTHER=1', name)).toBe(false)
  })

  test.each([
    'SIZE',
    'size',
    'env',
    'path',
    'home',
    '_x',
    'GOAL',
    'PAGE',
    'LESSON',
    'CONTAINER_NAME',
    'A1',
    'KAFKA_TOPIC',
    'DBT_TARGET',
  ])('such as %s, on which no program acts, is visible', (name) => {
    expect(sees('', name)).toBe(true)
    expect(sees('params: OTHER=1', name)).toBe(true)
  })

  test.each([
    'BASH_FUNC_ls%%',
    'a=b',
    'a\nb',
    'a\0b',
    'a b',
    'a-b',
    'a.b',
    '',
    '0',
    '01',
    '99999999',
    'ＰＡＴＨ',
    'РATH',
    'BASH_ENV ',
    '__proto__%',
  ])('such as %j, which is not an identifier, stays data', (name) => {
    expect(sees('', name)).toBe(false)
  })

  test('never replaces what the file or another source defines', () => {
    expect(sees('env: [{TARGET: prod}]', 'TARGET')).toBe(false)
    expect(sees('secrets: [{name: TOKEN, provider: env, key: X}]', 'TOKEN')).toBe(false)
    expect(sees('', 'FROM_DOTENV', ['FROM_DOTENV'])).toBe(false)
  })

  test('is visible when it is a position', () => {
    expect(sees('', '1')).toBe(true)
    expect(sees('params: a b', '12')).toBe(true)
  })
})

describe('a name that the file declares', () => {
  test.each(codeNames.split(' '))('such as %s is visible', (name) => {
    expect(sees(`params: [{${name}: x}]`, name)).toBe(true)
    expect(sees(`params: {schema: {properties: {${name}: {type: string}}}}`, name)).toBe(true)
  })

  test('may also be in env', () => {
    expect(sees('env: [{TARGET: prod}]\nparams: TARGET=dev', 'TARGET')).toBe(true)
  })
})

test('the names of withheld params are returned', () => {
  const params = [
    { name: '1', value: 'a' },
    { name: 'BASH_ENV', value: 'b' },
    { name: 'SIZE', value: 'c' },
  ]
  expect(
    splitParams(
      params,
      paramVisibility(definition(''), () => false),
    ),
  ).toEqual({
    visible: [params[0], params[2]],
    withheld: ['BASH_ENV'],
  })
})

describe('the output of a step', () => {
  const problemsOf = (output: string): string[] =>
    readSpec(`steps:\n  - command: echo\n    output: ${output}\n`, { fileName: 'demo' }).problems.map(
      ({ message }) => message,
    )

  test.each(codeNames.split(' '))('cannot be captured as %s', (name) => {
    expect(isCodeName(name)).toBe(true)
    expect(problemsOf(name)[0]).toContain(`must be another name than ${name}`)
    expect(problemsOf(`{name: ${name}}`)).toHaveLength(1)
  })

  test.each([
    'GIT_COMMIT',
    'AWS_SESSION_TOKEN',
    'DATABASE_URL',
    'NODE_VERSION',
    'PYTHON_VERSION',
    'DOCKER_TAG',
    'TEMP',
    'result',
    'KUBECONFIG',
  ])('may be captured as %s', (name) => {
    expect(problemsOf(name)).toEqual([])
  })
})
