/**
 * Names of environment variables that a loader, a shell, a runtime or a common program acts on. Each text is a list of
 * names; a name with a `*` stands for all names of that form. Case counts, as in the environment.
 */
interface ReservedGroup {
  readonly why: string
  /** A value of these becomes code, or decides which code or folder is used. */
  readonly code?: string
  /** A value of these changes where a program connects, how it logs in, or what it prints. */
  readonly settings?: string
}

/** The table of VALUES.md in full, group by group. */
const groups: readonly ReservedGroup[] = [
  {
    why: 'a shell runs it, imports it as code, or splits words by it',
    code:
      'ENV BASH BASH_* BASHOPTS SHELLOPTS SHELL IFS PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND CDPATH GLOBIGNORE ' +
      'EXECIGNORE POSIXLY_CORRECT FPATH ZDOTDIR NULLCMD READNULLCMD FCEDIT INPUTRC',
    settings: 'PWD OLDPWD _ FIGNORE HISTFILE TMOUT SHLVL OPTIND OPTARG OPTERR PPID UID EUID',
  },
  {
    why: 'programs, configuration and temporary files are found by it',
    code:
      'PATH HOME XDG_* USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA ProgramData PATHEXT COMSPEC ComSpec SystemRoot ' +
      'SYSTEMROOT WINDIR windir PSModulePath MANPATH INFOPATH',
    settings: 'TMPDIR TMP TEMP',
  },
  {
    why: 'the loader or the C library reads it in every program',
    code:
      'LD_* DYLD_* _RLD* LIBPATH SHLIB_PATH GCONV_PATH LOCPATH MUSL_LOCPATH NLSPATH HOSTALIASES RES_OPTIONS ' +
      'LOCALDOMAIN RESOLV_* MALLOC_* GLIBC_TUNABLES GETCONF_DIR TZDIR TERMINFO TERMINFO_DIRS TERMCAP TERMPATH ' +
      'GCOV_PREFIX* GMON_OUT_PREFIX LLVM_PROFILE_FILE ASAN_OPTIONS LSAN_OPTIONS MSAN_OPTIONS TSAN_OPTIONS ' +
      'UBSAN_OPTIONS NSS_* SASL_PATH',
    settings: 'TZ TERM LANG LC_*',
  },
  {
    why: 'JavaScript runtimes and their package managers',
    code:
      'NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_REPL_* NODE_ICU_DATA ' +
      'NODE_V8_COVERAGE NODE_COMPILE_CACHE NODE_REDIRECT_WARNINGS npm_config_* BUN_OPTIONS BUN_INSPECT* DENO_DIR ' +
      'TS_NODE_* ELECTRON_RUN_AS_NODE',
    settings: 'NODE_* npm_* YARN_* PNPM_* BUN_* DENO_* COREPACK_* ELECTRON_*',
  },
  {
    why: 'Python and its package managers',
    code:
      'PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONWARNINGS PYTHONBREAKPOINT PYTHONUSERBASE ' +
      'PYTHONPYCACHEPREFIX PYTHONEXECUTABLE PYTHONPLATLIBDIR PYTHONCASEOK PYTHONSAFEPATH PYTHONNOUSERSITE ' +
      'PYTHONIOENCODING PYTHONMALLOC PYTHON_PRESITE __PYVENV_LAUNCHER__ PIP_* UV_INDEX* UV_PYTHON*',
    settings: 'PYTHON* VIRTUAL_ENV PYENV_* CONDA_* UV_* POETRY_* PIPENV_* PIPX_* JUPYTER_* IPYTHONDIR',
  },
  {
    why: 'Perl, Ruby, PHP, Lua, Tcl, R and other interpreters',
    code:
      'PERL5* PERLLIB PERL_* RUBYOPT RUBYLIB RUBYPATH RUBYSHELL RUBYGEMS_GEMDEPS GEM_HOME GEM_PATH BUNDLE_* ' +
      'BUNDLER_* IRBRC PHPRC PHP_INI_* COMPOSER_HOME LUA_* TCLLIBPATH TCL_LIBRARY R_PROFILE* R_ENVIRON* R_LIBS* ' +
      'R_HOME R_DEFAULT_PACKAGES JULIA_LOAD_PATH JULIA_PROJECT JULIA_DEPOT_PATH AWKPATH AWKLIBPATH GUILE_* ' +
      'PLTCOLLECTS PLTADDONDIR PLTUSERHOME ERL_* ELIXIR_ERL_OPTIONS OCAMLRUNPARAM CAMLRUNPARAM CAML_LD_LIBRARY_PATH',
    settings: 'PERL* RUBY* RBENV_* RVM_* GEM_* PHP* COMPOSER_* JULIA_* MIX_* OCAML* OPAM*',
  },
  {
    why: 'Java and .NET',
    code:
      'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS CLASSPATH MAVEN_OPTS MAVEN_ARGS MAVEN_HOME ' +
      'M2_HOME GRADLE_OPTS GRADLE_USER_HOME ANT_OPTS ANT_ARGS SBT_OPTS DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS ' +
      'DOTNET_SHARED_STORE DOTNET_ROOT* DOTNET_DiagnosticPorts CORECLR_* COR_* COMPlus_* MSBUILD* MONO_PATH ' +
      'MONO_CONFIG ASPNETCORE_HOSTINGSTARTUPASSEMBLIES',
    settings: 'JAVA_* JDK_* JRE_* MAVEN_* MVN_* GRADLE_* DOTNET_* NUGET_* MONO_* ASPNETCORE_* POWERSHELL_*',
  },
  {
    why: 'make, compilers and their package managers',
    code:
      'MAKE MAKEFLAGS MAKEFILES MFLAGS GNUMAKEFLAGS CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS COMPILER_PATH ' +
      'GCC_EXEC_PREFIX LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH PKG_CONFIG* CMAKE_* CCACHE_* ' +
      'CONFIG_SITE CONFIG_SHELL M4PATH ACLOCAL_PATH RUSTC RUSTC_* RUSTDOC RUSTFLAGS RUSTDOCFLAGS RUSTUP_* CARGO ' +
      'CARGO_HOME CARGO_BUILD_* CARGO_TARGET_* CARGO_ENCODED_RUSTFLAGS GOFLAGS GOROOT GOENV GOPROXY GOSUMDB ' +
      'GONOSUMDB GONOSUMCHECK GONOPROXY GOPRIVATE GOINSECURE GOVCS GOTOOLCHAIN GOTOOLDIR GODEBUG GOCACHEPROG ' +
      'GOWORK GOAUTH GOEXPERIMENT GCCGO CGO_*',
    settings:
      'CPP LD AR AS CARGO_* RUST* SCCACHE_* DISTCC_* GO111MODULE GOPATH GOBIN GOCACHE GOMODCACHE GOTMPDIR GOOS ' +
      'GOARCH GOGC GOMEMLIMIT GOMAXPROCS GOTRACEBACK GOCOVERDIR',
  },
  {
    why: 'programs start it, or read their options from it',
    code:
      'EDITOR VISUAL PAGER BROWSER LESSOPEN LESSCLOSE LESSKEY LESSKEYIN LESSKEY_* LESSEDIT MANPAGER MANOPT VIMINIT ' +
      'EXINIT GVIMINIT VIMRUNTIME EMACSLOADPATH SUDO_* ASKPASS SSH_ASKPASS* RSH CVS_RSH RSYNC_* TAR_OPTIONS ' +
      'GREP_OPTIONS GZIP BZIP BZIP2 XZ_OPT XZ_DEFAULTS UNZIP UNZIPOPT ZIPOPT ZIPINFO PARALLEL MAILRC MAILCAPS ' +
      'WGETRC CURL_HOME NETRC MAGICK_* QT_PLUGIN_PATH QT_QPA_* GTK_MODULES GTK_PATH GTK_EXE_PREFIX ' +
      'GIO_EXTRA_MODULES GIO_MODULE_DIR GDK_PIXBUF_* DBUS_* SCREENRC',
    settings:
      'LESS LESSCHARSET LESSSECURE LESSHISTFILE MORE VIM TAPE ZSTD_* MAGIC GPG* DISPLAY XAUTHORITY LS_COLORS',
  },
  {
    why: 'git, ssh and other version control',
    code:
      'GIT_SSH* GIT_EXEC_PATH GIT_CONFIG* GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS ' +
      'GIT_PROXY_* GIT_TEMPLATE_DIR GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_INDEX_FILE ' +
      'GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE GIT_ALLOW_PROTOCOL GIT_PROTOCOL* GIT_TRACE* GIT_ATTR_* ' +
      'GIT_SSL_* GIT_CEILING_DIRECTORIES GIT_DISCOVERY_ACROSS_FILESYSTEM GIT_REDIRECT_* HGRCPATH HGEDITOR HGMERGE ' +
      'SVN_SSH SVN_EDITOR',
    settings: 'GIT_* GITHUB_TOKEN GH_* HG HGPLAIN HGUSER SVN_* SSH_*',
  },
  {
    why: 'TLS, Kerberos and drivers: which certificates and modules are trusted',
    code:
      'SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE OPENSSL_* CURL_CA_BUNDLE REQUESTS_CA_BUNDLE KRB5_* KRB5CCNAME ' +
      'GSS_* LDAPCONF LDAPRC ODBCINI ODBCSYSINI ODBCINSTINI PKCS11_* P11_KIT_* SOFTHSM2_CONF LIBMYSQL_PLUGINS ' +
      'LIBMYSQL_PLUGIN_DIR TNS_ADMIN ORACLE_HOME PGSYSCONFDIR PGSERVICEFILE PGSSL* PSQLRC PSQL_*',
    settings: 'SSL_* CURL_* LDAP* SASL_* REDISCLI_* MYSQL_* MARIADB_* ORACLE_* NLS_* SQLITE_*',
  },
  {
    why: 'proxies: where requests go',
    settings: '*_proxy',
  },
  {
    why: 'databases, clouds, containers and infrastructure: where programs connect, and as whom',
    code:
      'KUBECTL_EXTERNAL_DIFF KUBE_EDITOR HELM_PLUGINS TF_CLI_ARGS* TF_CLI_CONFIG_FILE TF_PLUGIN_* ANSIBLE_CONFIG ' +
      'ANSIBLE_LIBRARY ANSIBLE_*_PLUGINS ANSIBLE_*_PATH CLOUDSDK_PYTHON* CLOUDSDK_CONFIG BOTO_CONFIG ' +
      'AWS_CONFIG_FILE AWS_CA_BUNDLE AWS_PAGER DOCKER_CLI_PLUGIN*',
    settings:
      'DATABASE_URL PG* AWS_* AZURE_* ARM_* GOOGLE_* GCLOUD_* CLOUDSDK_* DOCKER_* CONTAINER_HOST ' +
      'CONTAINER_CONNECTION CONTAINERS_* PODMAN_* BUILDKIT_* BUILDX_* COMPOSE_* KUBE* HELM_* TF_* PULUMI_* ' +
      'ANSIBLE_* VAULT_* CONSUL_* NOMAD_* ETCD*',
  },
  {
    why: 'tools for backups, data and computing: a command, a module, or options of a runtime',
    code:
      'BORG_RSH BORG_PASSCOMMAND RESTIC_PASSWORD_COMMAND RCLONE_CONFIG RCLONE_PASSWORD_COMMAND ' +
      'RCLONE_METADATA_MAPPER RCLONE_SFTP_SSH SPARK_HOME SPARK_CONF_DIR SPARK_*_OPTS PYSPARK_PYTHON ' +
      'PYSPARK_DRIVER_PYTHON* PYSPARK_SUBMIT_ARGS HADOOP_HOME HADOOP_CONF_DIR HADOOP_CLASSPATH HADOOP_*OPTS ' +
      'HIVE_CONF_DIR HIVE_AUX_JARS_PATH KAFKA_OPTS KAFKA_*_OPTS *_JAVA_OPTS *_JVM_OPTS *_JVM_ARGS JVM_OPTS ' +
      'CATALINA_OPTS JYTHONPATH JRUBY_OPTS AIRFLOW_HOME AIRFLOW_CONFIG DBT_PROFILES_DIR DBT_PROJECT_DIR ' +
      'OMP_TOOL* CUDA_INJECTION* NVTX_INJECTION* VK_*PATH VK_*FILENAMES VK_*LAYERS OCL_ICD_* OPENCL_VENDOR_PATH ' +
      'LIBGL_DRIVERS_PATH LIBVA_DRIVERS_PATH VDPAU_DRIVER_PATH OMPI_MCA_* PRTE_MCA_* PMIX_MCA_* HYDRA_LAUNCHER* ' +
      'I_MPI_HYDRA_BOOTSTRAP* SLURM_CONF GST_PLUGIN* GST_REGISTRY* GDAL_DRIVER_PATH GDAL_PYTHON_* ' +
      'GDAL_VRT_ENABLE_PYTHON OGR_DRIVER_PATH LADSPA_PATH LV2_PATH FREI0R_PATH ALSA_CONFIG_* QML_IMPORT_PATH ' +
      'QML2_IMPORT_PATH GTK3_MODULES LTDL_LIBRARY_PATH NIX_PATH NIX_CONFIG NIX_USER_CONF_FILES OCTAVE_*INITFILE ' +
      'OCTAVE_PATH MATLABPATH MATLAB_PREFDIR MPLCONFIGDIR GNUPGHOME PASSWORD_STORE_* RIPGREP_CONFIG_PATH ' +
      'FZF_DEFAULT_* BAT_CONFIG_PATH SYSTEMD_PAGER* SYSTEMD_EDITOR BAT_PAGER DELTA_PAGER ACK_PAGER SOPS_EDITOR ' +
      'TEXMFCNF TEXMFHOME GS_LIB GS_OPTIONS PUPPETEER_EXECUTABLE_PATH CHROME_WRAPPER TERRAGRUNT_TFPATH ' +
      'KUSTOMIZE_PLUGIN_HOME LOG4J_CONFIGURATION_FILE LOG4J_FORMAT_*',
  },
  {
    why: 'the service itself, and its special variables',
    settings: 'MILLRACE_* DAG_* DAGU_* OTEL_* TRACEPARENT TRACESTATE LISTEN_FDS LISTEN_PID NOTIFY_SOCKET',
  },
]

type Test = (name: string) => boolean

const isCode = testOf(groups.map(({ code }) => code ?? ''))
const isSetting = testOf(groups.map(({ settings }) => settings ?? ''))

/** Whether a loader, a shell, a runtime or a common program acts on the variable. */
export function isReservedName(name: string): boolean {
  return isCode(name) || isSetting(name)
}

/**
 * Whether the value of the variable becomes code, or decides which code runs. A file may capture the output of a step
 * as `AWS_SESSION_TOKEN`, but not as `BASH_ENV`.
 */
export function isCodeName(name: string): boolean {
  return isCode(name)
}

/** Names without a `*` are looked up; the others are one pattern. `npm` and proxies are read in any case. */
function testOf(lists: readonly string[]): Test {
  const all = lists.flatMap((list) => list.split(' ')).filter((name) => name !== '')
  const exact = new Set(all.filter((name) => !name.includes('*')))
  const patterns = all.filter((name) => name.includes('*')).map(patternOf)
  const pattern = patterns.length === 0 ? /^$/ : new RegExp(patterns.join('|'))
  return (name) => exact.has(name) || pattern.test(name)
}

function patternOf(name: string): string {
  const anyCase = /^(?:npm_|\*_proxy)/.test(name)
  const form = anyCase ? name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`) : name
  return `^${form.replaceAll('*', '.*')}${name.endsWith('*') ? '' : '$'}`
}
