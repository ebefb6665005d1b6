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
  /** Files of a folder of DAGs, and how deep its subfolders are. `dagFolderHeldMs`: see lib/dag-folder. */
  dagFilesMax: 10_000,
  dagFolderDepthMax: 16,
  dagFolderHeldMs: 15_000,
  stepNameLengthMax: 40,
  runIdLengthMax: 64,
  requestBodyBytesMax: 2_097_152,
  /** Nesting depth and fields of a body: a megabyte of either takes a second to parse. */
  requestDepthMax: 200,
  requestFieldsMax: 1_000,
  /** Runs or DAGs of a batch call, and the time after which it starts no further one. */
  batchItemsMax: 500,
  batchMsMax: 8_000,
  paramsBytesMax: 262_144,
  /** Params of a run that its caller gives, named and positional together. */
  paramsMax: 1_000,
  /** Bytes of standard output captured from one step (YAML: `maxOutputSize`). */
  outputBytesDefault: 1_048_576,
  outputBytesMax: 16_777_216,
  /** Characters of an output that details of a run show. */
  outputBeginningLengthMax: 500,
  /** Characters of one output as JSON, where control characters take six; bytes of all outputs of a run together. */
  outputJsonLengthMax: 25_165_824,
  runOutputBytesMax: 67_108_864,
  /** Characters of the values in an entry of the journal from which on it is recorded apart; and in one batch. */
  largeRecordLength: 1_048_576,
  /**
   * Outputs of a run that are sent at once, by their compressed size in the table; more are sent one by one, in so many
   * answers at the same time.
   */
  outputsAtOnceStoredBytesMax: 65_536,
  largeOutputsSentMax: 8,
  largeOutputsPerCallerMax: 2,
  /** Characters of all texts in `continueOn.output` of one step. */
  outputTextsLengthMax: 65_536,
  /** Shortest wait between two attempts of a step, so that none spins; `stepWaitMsMax`: the longest, a year. */
  stepWaitMsMin: 100,
  stepWaitMsMax: 31_536_000_000,
  /** Characters of all secrets of a DAG; masking them takes about forty times as many bytes of memory. */
  secretsLengthMax: 1_048_576,
  /** Characters of all secrets of a run up to which they are masked in encoded forms (JSON, URL, base64) as well. */
  secretFormsLengthMax: 65_536,
  /** The largest value of MILLRACE_LOG_MAX_MB; no more is read of any log. */
  logBytesMax: 4_294_967_296,
  /** Size of the log of a run itself. */
  runLogBytesMax: 67_108_864,
  /** The end of an attempt of a step that is kept where the middle of its log stream is cut out. */
  logTailBytesMax: 1_048_576,
  /**
   * Body of an http step while it is streamed; and when it must be held in memory (`json: true`). `httpJsonPerRunMax`:
   * bodies of a run that are held at the same time. `httpAnswerBytesMax`: all that a connection receives.
   */
  httpBodyBytesMax: 104_857_600,
  httpAnswerBytesMax: 419_430_400,
  httpJsonBytesMax: 16_777_216,
  httpJsonPerRunMax: 4,
  /** An answer of a container engine, except for streams (logs, output, progress), which are read piece by piece. */
  engineAnswerBytesMax: 4_194_304,
  /** Characters of the error of a step. */
  stepErrorLengthMax: 16_384,
  /** Memory of the program that a jq step runs, and its time limit when the step sets none. */
  jqMemoryBytesMax: 536_870_912,
  /** What the built-in filters of a runner need together beyond their first 16 MiB; those of a run at the same time. */
  jqAllMemoryBytesMax: 1_073_741_824,
  jqPerRunMax: 2,
  /** What the built-in jq writes to one of its streams, which it holds in memory. */
  jqOutputBytesMax: 16_777_216,
  jqMsMax: 600_000,
  /** Characters of all addresses in one field of a mail. */
  mailAddressesLengthMax: 65_536,
  /** A mail contains at most the last bytes of a step's log. */
  mailLogBytesMax: 262_144,
  /** Size of one answer with lines of a log, since lines may be long. */
  logWindowBytesMax: 16_777_216,
  /** Long answers with lines of logs that a process sends at the same time, each in pieces; to one caller. */
  logReadersMax: 256,
  logReadersPerCallerMax: 64,
  /** Bytes of a line that are shown among the lines of other logs. */
  mergedLineBytesMax: 8_192,
  mergedLinesMax: 10_000,
  /** How long lines of an active run are kept back: until then, earlier ones may still be stored. */
  mergedLagMs: 3_000,
  logLinesDefault: 1_000,
  logLinesMax: 10_000,
  /** Characters of one value after expansion. */
  valueLengthMax: 16_777_216,
  /** Characters of values that the references in the texts of a step, or in the inputs of a run, may read and make. */
  expansionLengthMax: 67_108_864,
  /** Attempts of a run whose texts are expanded at the same time; that run with more than so many characters. */
  preparedPerRunMax: 16,
  largeStepsPerRunMax: 4,
  largeStepLength: 4_194_304,
  positionalParamsMax: 10_000,
  parallelItemsMax: 1_000,
  parallelConcurrencyDefault: 10,
  childDepthMax: 16,
  dagsPerPageDefault: 50,
  dagsPerPageMax: 1_000,
  /** Versions of a DAG on one page; characters of the message of one. `deletedVersionsDays`: those of a deleted DAG. */
  versionsPerPageMax: 100,
  messageLengthMax: 500,
  deletedVersionsDays: 30,
  /** Characters of what lists show of a DAG; of its description, where the whole is longer. */
  summaryLengthMax: 32_768,
  summaryDescriptionLength: 1_000,
  /** DAGs of an answer with their states alone. */
  dagStatesMax: 20_000,
  historyRunsMax: 30,
  /** Runs of a DAG on one page of its history that a caller requests, and of which its typical durations are made. */
  historyPageMax: 100,
  searchResultsMax: 1_000,
  /** Characters of a text that a log is searched for; bytes of a line that are looked at; characters that are shown. */
  searchTextLengthMax: 256,
  searchedLineBytesMax: 16_384,
  shownMatchLengthMax: 1_000,
  /**
   * Size of an RE2 program that searches. `searchWorkMax`: the size times the characters of a line that it looks at, of
   * about 25 ns each; nothing else is served meanwhile.
   */
  searchProgramMax: 300,
  searchWorkMax: 500_000,
  /** Logs that a process searches at the same time, of them for one caller; how long each search may take. */
  logSearchesMax: 4,
  logSearchesPerCallerMax: 2,
  logSearchMsMax: 10_000,
  /** Matches shown per DAG; characters of everything that a search of specs answers. */
  searchMatchesMax: 1_000,
  searchAnswerLengthMax: 16_777_216,
  /** Specs that a search without the right to edit reads per query, and the size of those that a process keeps. */
  specsPerRead: 50,
  maskedTextsKeptBytes: 8_388_608,
  /** Size of the texts whose parsed definitions a process caches; the definitions take several times as much. */
  definitionCacheBytes: 8_388_608,
  /** Definitions that a runner names when it claims: it is sent the text of the others. */
  knownDefinitionsMax: 256,
  /** Size of the JSON details of ended runs that a process caches. */
  runDetailsKeptBytes: 8_388_608,
  /** Steps of DAGs whose typical durations a process caches. */
  stepStatsKeptMax: 20_000,
  /** Queued runs listed over all queues. */
  queuedRunsListedMax: 100_000,
  /** Runs on a page of a queue, and when the caller does not say; DAGs listed that no runner takes. */
  queueItemsMax: 1_000,
  queueItemsDefault: 100,
  unservedDagsMax: 100,
  /** Size of the given params of a run beyond which lists have only their beginning, of so many characters. */
  listedParamsBytesMax: 16_384,
  listedParamsLength: 1_000,
  /** Runs on one page that a caller requests; `runsPerRead`: per query when all runs are streamed. */
  runsPerPageMax: 1_000,
  runsPerRead: 500,
  histogramBucketsMax: 500,
  /** Runs at the top of a list that a stream follows, when the caller names no number. */
  runsWatchedDefault: 200,
  /**
   * Newest runs, of those that match the other filters, among which a part of an id, a word or a duration is looked
   * for; and how many runs of any age may begin with a part of an id to be found by that.
   */
  partOfIdRunsMax: 100_000,
  beginningOfIdRunsMax: 1_000,
  /**
   * Results of each kind that a search of names finds, which is asked at every key. `searchedRunsMax`: newest runs
   * among which it looks for a part of an id, from `partOfIdLengthMin` characters on.
   */
  foundNamesMax: 50,
  searchedRunsMax: 10_000,
  partOfIdLengthMin: 4,
  /** Event streams that one process serves at the same time; to one credential, or to one address without any. */
  eventStreamsMax: 500,
  eventStreamsPerCallerMax: 125,
  /** Seconds after which a client that got none retries; meanwhile it asks as often as it needs to. */
  eventStreamRetrySeconds: 15,
  /** Maximum duration of an event stream; the client then reconnects and continues. */
  eventStreamMsMax: 900_000,
  /** Interval of heartbeats, which keep proxies from closing an event stream. */
  eventStreamHeartbeatMs: 15_000,
  /** Interval at which the rights of the callers of event streams are read again. */
  callerCheckMs: 2_000,
  /** Size of one event with lines of a log. */
  eventLogBytes: 65_536,
  /** Size of the answer of a remote node; `remoteSilenceMs`: how long the node may send nothing. */
  remoteAnswerBytesMax: 268_435_456,
  remoteSilenceMs: 30_000,
  /**
   * Wrong passwords of one user from one address within a window; further ones are refused unchecked until the window
   * is over. `whenCrowded`: the same limit while the address has `perAddress` failures, or the user `perUser`.
   */
  loginFailures: { windowMs: 300_000, perUserAndAddress: 10, whenCrowded: 3, perAddress: 50, perUser: 200 },
  /** How long an address from which a user has logged in counts as familiar. */
  familiarDays: 30,
  /**
   * Passwords that one process checks at the same time (32 MiB each), how many more may wait, and how many of these may
   * come from one address. Users from familiar addresses wait in a line of their own, of the same size.
   */
  passwordChecks: { most: 1, waitingMax: 32, perAddressMax: 16 },
  /** Passwords that were right and that a process remembers. */
  passwordsRemembered: 1_000,
  usernameLengthMax: 256,
  /**
   * A session ends after this time without a call, and after 30 days in any case (as in the table); its last call is
   * written down this often at most.
   */
  sessionIdleMsMax: 43_200_000,
  sessionSeenEveryMs: 300_000,
  sessionDaysMax: 30,
  /** As in the table. */
  preferencesBytesMax: 16_384,
  /** Sessions of one user, key or credential of the settings: a further one ends the oldest. */
  sessionsPerCredentialMax: 100,
  /** Audit entries of failed logins that one process makes in a window: in total, and for one address. */
  loginEntriesMax: 200,
  loginEntriesPerAddressMax: 20,
  passwordLengthMin: 8,
  passwordLengthMax: 1_024,
  tokenLengthMax: 4_096,
  apiKeyNameLengthMax: 100,
  apiKeyDaysMax: 3_650,
  /** How long audit entries are kept. */
  auditDays: 365,
  /** Days for which it is noted which times of schedules were missed. */
  missedTimesDays: 31,
  /** Days that a question about schedules may span, of all DAGs and of one; fires on each side of now in its answer. */
  scheduleDaysMax: 31,
  scheduleDaysOfDagMax: 93,
  scheduleFiresMax: 2_000,
  /** How long the times of schedules are worked out for one call. */
  scheduleMsMax: 5_000,
  /** Fires that a preview of a schedule lists as new, and as no more. */
  previewFiresMax: 200,
  auditEntriesMax: 1_000,
  /** Runners that a run may lose in a row: the next one only ends it. As in take_over_lost_runs. */
  lostRunnersMax: 3,
  renewEveryMs: 3_000,
  /** How often a runner removes working folders without a DAG or a run, and how long these must have been unused. */
  sweepEveryMs: 3_600_000,
  folderIdleMs: 3_600_000,
  pollEveryMs: 1_000,
  /** Time since the last heartbeat of a runner until it counts as doubtful, and as gone. */
  runnerDoubtMs: 5_000,
  runnerGoneMs: 15_000,
  cleanUpSecDefault: 5,
  /**
   * A connection that is silent for this long is closed. Longer than a heartbeat, and than a remote node's silence.
   */
  stalledMsMax: 60_000,
  /** Time until the headers of a request must have arrived; `requestMsMax`: the whole request with its body. */
  headersMsMax: 20_000,
  requestMsMax: 60_000,
  /** DAGs with metrics of their own, those counted longest; `endsPerFold`: ends added to the totals by a statement. */
  dagsMeasuredMax: 1_000,
  endsPerFold: 10_000,
  /** Connections of a process; of one address, which may also have as many requests in progress. */
  connectionsMax: 4_000,
  connectionsPerAddressMax: 1_000,
  /** Lines of the service log that nobody has read are kept up to this size; at the end, they get this time. */
  unreadLogBytesMax: 1_048_576,
  lastLinesMsMax: 1_000,
  /** Time for a graceful shutdown, after the drain time and the grace period; then the process exits. */
  endMsMax: 30_000,
  /** Operations on redirect files that the thread pool (four threads) works on, and how long each may take. */
  fileThreadsMax: 2,
  fileAnswerMsMax: 10_000,
  /** Deadline of a statement; `longStatementMsMax`: of statements that do much work at once. */
  statementMsMax: 4_000,
  longStatementMsMax: 60_000,
  /** A call is answered with 503 when the database, or its pool, has not answered after this time. */
  answerMsMax: 10_000,
  /** For GET /services/resources/history: how often an instance looks at its machine, and how much it remembers. */
  resourceSampleMs: 5_000,
  resourceSamplesMax: 720,
} as const
