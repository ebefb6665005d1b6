/**
 * Every limit of the service, in one place. Sizes are in bytes and times in milliseconds, unless the name says
 * otherwise.
 */
export const limits = {
  /** Size of a DAG file; checked before the text is parsed. */
  specBytesMax: 1_048_576,
  specDepthMax: 64,
  specDocumentsMax: 50,
  specAliasesMax: 1_000,
  /** Values in a DAG file, counting aliases as often as they are used. `specPiecesMax`: its tokens. */
  specNodesMax: 100_000,
  specPiecesMax: 300_000,
  specLinesMax: 150_000,
  /** Characters of all texts of a DAG file, counting aliases as often as they are used. */
  specExpandedLengthMax: 4_194_304,
  stepsMax: 5_000,
  /** Edges of the graph: pairs of a step and a step that it depends on. */
  dependenciesMax: 200_000,
  /** Schedule entries of all DAGs of a file together. */
  schedulesMax: 300,
  dagNameLengthMax: 40,
  stepNameLengthMax: 255,
  runIdLengthMax: 64,
  requestBodyBytesMax: 2_097_152,
  paramsBytesMax: 262_144,
  /** Bytes of standard output captured from one step (YAML: `maxOutputSize`). */
  outputBytesDefault: 1_048_576,
  outputBytesMax: 16_777_216,
  /** Longest wait between two attempts of a step, whatever its backoff: a year. */
  stepWaitMsMax: 31_536_000_000,
  /** Size of one log stream of a step. The rest is dropped, and a marker line says so. */
  logBytesMax: 1_073_741_824,
  /** Body of an http step while it is streamed; and when it must be held in memory (`json: true`). */
  httpBodyBytesMax: 104_857_600,
  httpJsonBytesMax: 16_777_216,
  /** Memory of the program that a jq step runs, and its time limit when the step sets none. */
  jqMemoryBytesMax: 536_870_912,
  jqMsMax: 600_000,
  /** A mail contains at most the last bytes of a step's log. */
  mailLogBytesMax: 262_144,
  /** Size of one answer with lines of a log, since lines may be long. */
  logWindowBytesMax: 16_777_216,
  logLinesDefault: 1_000,
  logLinesMax: 10_000,
  /** Characters of one value after expansion. */
  valueLengthMax: 16_777_216,
  positionalParamsMax: 10_000,
  parallelItemsMax: 1_000,
  parallelConcurrencyDefault: 10,
  childDepthMax: 16,
  dagsPerPageDefault: 50,
  dagsPerPageMax: 1_000,
  historyRunsMax: 30,
  searchResultsMax: 1_000,
  /** Matches shown per DAG. */
  searchMatchesMax: 1_000,
  /** Size of the texts whose parsed definitions a process caches; the definitions take several times as much. */
  definitionCacheBytes: 8_388_608,
  /** Definitions that a runner names when it claims: it is sent the text of the others. */
  knownDefinitionsMax: 256,
  /** Size of the JSON details of ended runs that a process caches. */
  runDetailsKeptBytes: 8_388_608,
  /** Queued runs listed over all queues. */
  queuedRunsListedMax: 100_000,
  /** Runs on one page that a caller requests; `runsPerRead`: per query when all runs are streamed. */
  runsPerPageMax: 1_000,
  runsPerRead: 500,
  /** Event streams that one process serves at the same time. */
  eventStreamsMax: 500,
  /** Maximum duration of an event stream; the client then reconnects and continues. */
  eventStreamMsMax: 900_000,
  /** Interval of heartbeats, which keep proxies from closing an event stream. */
  eventStreamHeartbeatMs: 15_000,
  /** Size of one event with lines of a log. */
  eventLogBytes: 65_536,
  /** Size of the answer of a remote node; `remoteSilenceMs`: how long the node may send nothing. */
  remoteAnswerBytesMax: 268_435_456,
  remoteSilenceMs: 30_000,
  /** Failed logins within a window. When exceeded, further attempts are refused unchecked until the window is over. */
  loginFailures: { windowMs: 300_000, perUserAndAddress: 10, perAddress: 50, perUser: 200 },
  /** Passwords that one process checks at the same time (32 MiB each), and how many more may wait. */
  passwordChecksMax: 2,
  passwordChecksWaitingMax: 64,
  passwordLengthMin: 8,
  passwordLengthMax: 1_024,
  apiKeyNameLengthMax: 100,
  apiKeyDaysMax: 3_650,
  /** How long audit entries are kept. */
  auditDays: 365,
  auditEntriesMax: 1_000,
  renewEveryMs: 3_000,
  pollEveryMs: 1_000,
  /** Time since the last heartbeat of a runner until it counts as doubtful, and as gone (spec: "Limits"). */
  runnerDoubtMs: 5_000,
  runnerGoneMs: 15_000,
  cleanUpSecDefault: 5,
  /**
   * A connection without any byte for this long is closed. Longer than a heartbeat, and than a remote node's silence.
   */
  stalledMsMax: 60_000,
  /** Deadline of a statement; `longStatementMsMax`: of statements that do much work at once. */
  statementMsMax: 4_000,
  longStatementMsMax: 60_000,
  /** A call is answered with 503 when the database, or its pool, has not answered after this time. */
  answerMsMax: 10_000,
} as const
