/** Every bound of the service, in one place. Sizes are bytes, times milliseconds, unless the name says otherwise. */
export const limits = {
  /** A DAG file: checked before the text is parsed. */
  specBytesMax: 1_048_576,
  specDepthMax: 64,
  specDocumentsMax: 50,
  specAliasesMax: 1_000,
  /** Values of a DAG file, those that aliases repeat included; and its words, marks, blanks and line breaks. */
  specNodesMax: 100_000,
  specPiecesMax: 300_000,
  specLinesMax: 150_000,
  /** Characters of all texts of a DAG file, with those that aliases repeat. */
  specExpandedLengthMax: 4_194_304,
  stepsMax: 5_000,
  /** Pairs of a step and one that it waits for. */
  dependenciesMax: 200_000,
  /** Of all DAGs of a file together. */
  schedulesMax: 300,
  dagNameLengthMax: 40,
  stepNameLengthMax: 40,
  runIdLengthMax: 64,
  requestBodyBytesMax: 2_097_152,
  paramsBytesMax: 262_144,
  /** Captured output of one step (YAML: maxOutputSize). */
  outputBytesDefault: 1_048_576,
  outputBytesMax: 16_777_216,
  /** Between two attempts of a step, whatever its backoff has grown to: a year. */
  stepWaitMsMax: 31_536_000_000,
  /** A step's log, per stream: what comes after is dropped behind a marker line. */
  logBytesMax: 1_073_741_824,
  /** The answer of an http step as it streams by; and where it must be held whole (`json: true`). */
  httpBodyBytesMax: 104_857_600,
  httpJsonBytesMax: 16_777_216,
  /** Memory of the program that a jq step runs, and how long it may take when the step sets no limit. */
  jqMemoryBytesMax: 536_870_912,
  jqMsMax: 600_000,
  /** The end of a step's log that goes with a mail. */
  mailLogBytesMax: 262_144,
  /** Of one answer with lines of a log: lines may be long. */
  logWindowBytesMax: 16_777_216,
  logLinesDefault: 1_000,
  logLinesMax: 10_000,
  /** Characters of one value after variables are put in. */
  valueLengthMax: 16_777_216,
  positionalParamsMax: 10_000,
  parallelItemsMax: 1_000,
  parallelConcurrencyDefault: 10,
  childDepthMax: 16,
  dagsPerPageDefault: 50,
  dagsPerPageMax: 1_000,
  historyRunsMax: 30,
  searchResultsMax: 1_000,
  /** Of one DAG. */
  searchMatchesMax: 1_000,
  /** Texts whose definitions a process keeps; what is kept is some times larger. */
  definitionCacheBytes: 8_388_608,
  /** Details of runs that have ended, as JSON, that a process keeps. */
  runDetailsKeptBytes: 8_388_608,
  /** Of all queues together. */
  queuedRunsListedMax: 100_000,
  /** Of one page that a caller asks for; and of one read where all are asked for. */
  runsPerPageMax: 1_000,
  runsPerRead: 500,
  /** Event streams that one process serves at the same time. */
  eventStreamsMax: 500,
  /** After so long a stream ends, and the client asks for the rest. */
  eventStreamMsMax: 900_000,
  /** A sign of life for proxies. */
  eventStreamHeartbeatMs: 15_000,
  /** Of one event with lines of a log. */
  eventLogBytes: 65_536,
  /** The answer of a remote node as it streams by; and how long the node may be silent. */
  remoteAnswerBytesMax: 268_435_456,
  remoteSilenceMs: 30_000,
  /** Failed logins within a window; then even a right password is not looked at until the window is over. */
  loginFailures: { windowMs: 300_000, perUserAndAddress: 10, perAddress: 50, perUser: 200 },
  /** Passwords that one process checks at the same time (32 MiB each), and that wait for it. */
  passwordChecksMax: 2,
  passwordChecksWaitingMax: 64,
  passwordLengthMin: 8,
  passwordLengthMax: 1_024,
  apiKeyNameLengthMax: 100,
  apiKeyDaysMax: 3_650,
  /** How long it is kept who changed what. */
  auditDays: 365,
  auditEntriesMax: 1_000,
  renewEveryMs: 3_000,
  pollEveryMs: 1_000,
  /** Since the last sign of life of a runner: when it is in doubt, and when it counts as gone (spec: "Limits"). */
  runnerDoubtMs: 5_000,
  runnerGoneMs: 15_000,
  cleanUpSecDefault: 5,
  /** Without a byte in or out; more than a heartbeat and than a remote node's silence. Then a connection is cut. */
  stalledMsMax: 60_000,
  /** Until a statement has failed that the database does not answer; and where one has much to do at once. */
  statementMsMax: 4_000,
  longStatementMsMax: 60_000,
  /** Until a call is answered with 503 because the database, or its pool, does not answer. */
  answerMsMax: 10_000,
} as const
