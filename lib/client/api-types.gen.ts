// Written by `npm run documents` from the OpenAPI document. Do not edit.
export interface Schemas {
  Error: {
    code:
      | 'forbidden'
      | 'bad_request'
      | 'not_found'
      | 'internal_error'
      | 'unauthorized'
      | 'bad_gateway'
      | 'remote_node_error'
      | 'already_running'
      | 'not_running'
      | 'already_exists'
      | 'read_only'
      | 'service_unavailable'
    message: string
    details?: Record<string, unknown>
  }
  Health: {
    status: 'healthy' | 'unhealthy'
    version: string
    uptime: number
    timestamp: string
    error?: string
  }
  DagSummary: {
    name: string
    group: string
    schedule: { expression: string }[]
    description: string
    params: string[]
    defaultParams: string
    tags: string[]
  }
  DagDetails: {
    name: string
    group: string
    schedule: { expression: string }[]
    description: string
    params: string[]
    defaultParams: string
    tags: string[]
    env: string[]
    logDir: string
    handlerOn: {
      init?: Schemas['Step']
      success?: Schemas['Step']
      failure?: Schemas['Step']
      cancel?: Schemas['Step']
      exit?: Schemas['Step']
    }
    steps: Schemas['Step'][]
    delay: number
    histRetentionDays: number
    preconditions: Schemas['Precondition'][]
    maxActiveRuns: number
    maxActiveSteps?: number
    queue?: string
    runConfig?: { disableParamEdit: boolean; disableRunIdEdit: boolean }
  }
  DagListItem: {
    fileName: string
    dag: Schemas['DagSummary']
    latestDAGRun: {
      rootDAGRunName: string
      rootDAGRunId: string
      parentDAGRunName: string
      parentDAGRunId: string
      dagRunId: string
      name: string
      status: number
      statusLabel: string
      queuedAt: string
      startedAt: string
      finishedAt: string
      durationMs?: number
      log: string
      params: string
      triggerType: 'manual' | 'scheduler' | 'subdag' | 'retry' | 'unknown'
      triggeredBy?: string
      scheduleTime: string
      workerId: string
      attempt?: number
      queuedAtMs?: number
      startedAtMs?: number
      finishedAtMs?: number
      scheduledAtMs?: number
      fileName?: string
    }
    suspended: boolean
    nextRun: string
    nextRunAt?: string
    nextRunZone?: string
    updatedAt: string
    source: 'database' | 'folder'
    errors: string[]
    recentRuns?: {
      dagRunId: string
      status: number
      statusLabel: string
      startedAtMs?: number
      durationMs?: number
      triggerType: string
    }[]
  }
  LocalDag: { name: string; dag: Schemas['DagDetails']; errors: string[] }
  Pagination: {
    totalRecords: number
    currentPage: number
    totalPages: number
    nextPage: number | null
    prevPage: number | null
  }
  Problem: { message: string; line?: number; column?: number; endLine?: number; endColumn?: number }
  DagVersion: {
    version: number
    fileName: string
    change: 'created' | 'saved' | 'renamed' | 'restored' | 'deleted'
    restoredVersion?: number
    savedAt: string
    savedAtMs: number
    savedBy?: string
    source: 'page' | 'cli' | 'api' | 'folder' | 'service'
    message?: string
  }
  Step: {
    name: string
    id: string
    description: string
    dir: string
    command: string
    args: string[]
    commands?: { command: string; args: string[] }[]
    script?: string
    stdout: string
    stderr: string
    output: string
    preconditions: Schemas['Precondition'][]
    depends: string[]
    repeatPolicy: { repeat: boolean; interval: number; limit?: number }
    mailOnError: boolean
    run: string
    call?: string
    parallel?: { items: string | string[]; maxConcurrent: number }
    params: string
    executorConfig?: { type: string }
    timeoutSec?: number
  }
  Precondition: { condition: string; expected: string; negate?: boolean; error: string }
  RunSummary: {
    rootDAGRunName: string
    rootDAGRunId: string
    parentDAGRunName: string
    parentDAGRunId: string
    dagRunId: string
    name: string
    status: number
    statusLabel: string
    queuedAt: string
    startedAt: string
    finishedAt: string
    durationMs?: number
    log: string
    params: string
    triggerType: 'manual' | 'scheduler' | 'subdag' | 'retry' | 'unknown'
    triggeredBy?: string
    scheduleTime: string
    workerId: string
    attempt?: number
    queuedAtMs?: number
    startedAtMs?: number
    finishedAtMs?: number
    scheduledAtMs?: number
    fileName?: string
  }
  RunDetails: {
    rootDAGRunName: string
    rootDAGRunId: string
    parentDAGRunName: string
    parentDAGRunId: string
    dagRunId: string
    name: string
    status: number
    statusLabel: string
    queuedAt: string
    startedAt: string
    finishedAt: string
    durationMs?: number
    log: string
    params: string
    triggerType: 'manual' | 'scheduler' | 'subdag' | 'retry' | 'unknown'
    triggeredBy?: string
    scheduleTime: string
    workerId: string
    attempt?: number
    queuedAtMs?: number
    startedAtMs?: number
    finishedAtMs?: number
    scheduledAtMs?: number
    fileName?: string
    createdAtMs?: number
    trigger?: string
    scheduledAt?: string
    stopRequestedAt?: string
    stopRequestedAtMs?: number
    queue?: string
    priority?: number
    worker?: { id: string; host: string }
    specHash?: string
    version?: number
    lastSuccess?: { dagRunId: string; specHash: string; version?: number }
    attempts?: Schemas['Attempt'][]
    nodes: Schemas['Node'][]
    onInit: Schemas['Node'] | null
    onExit: Schemas['Node'] | null
    onSuccess: Schemas['Node'] | null
    onFailure: Schemas['Node'] | null
    onCancel: Schemas['Node'] | null
    preconditions: Schemas['Precondition'][]
    error: string
  }
  Node: {
    step: Schemas['Step']
    stdout: string
    stderr: string
    startedAt: string
    finishedAt: string
    durationMs?: number
    startedAtMs?: number
    finishedAtMs?: number
    exitCode?: number
    tries?: {
      attempt: number
      number: number
      startedAtMs?: number
      finishedAtMs?: number
      exitCode?: number
      error: string
      logLine?: number
    }[]
    waitUntil?: string
    waitUntilMs?: number
    outputs?: Record<string, string>
    status: number
    statusLabel: string
    retryCount: number
    doneCount: number
    children: Schemas['ChildRef'][]
    childrenRepeated: Schemas['ChildRef'][]
    subRuns: Schemas['ChildRef'][]
    subRunsRepeated: Schemas['ChildRef'][]
    error: string
  }
  QueuedRun: {
    dagRunId: string
    name: string
    status: number
    statusLabel: string
    startedAt: string
    finishedAt: string
    log: string
  }
  Attempt: {
    attempt: number
    status: number
    statusLabel: string
    startedAt: string
    finishedAt: string
    durationMs?: number
    error: string
    log: string
  }
  Reason: { rule: string; text: string; step?: string; runs?: { name: string; dagRunId: string }[] }
  ChildRef: { dagRunId: string; name: string; params: string; status: number; statusLabel: string }
  ListedChild: {
    dagRunId: string
    name: string
    params: string
    status: number
    statusLabel: string
    startedAt: string
    finishedAt: string
  }
  RunOutline: {
    rootDAGRunName: string
    rootDAGRunId: string
    parentDAGRunName: string
    parentDAGRunId: string
    dagRunId: string
    name: string
    status: number
    statusLabel: string
    queuedAt: string
    startedAt: string
    finishedAt: string
    durationMs?: number
    log: string
    params: string
    triggerType: 'manual' | 'scheduler' | 'subdag' | 'retry' | 'unknown'
    triggeredBy?: string
    scheduleTime: string
    workerId: string
    attempt?: number
    queuedAtMs?: number
    startedAtMs?: number
    finishedAtMs?: number
    scheduledAtMs?: number
    fileName?: string
    createdAtMs?: number
    trigger?: string
    scheduledAt?: string
    stopRequestedAt?: string
    stopRequestedAtMs?: number
    queue?: string
    priority?: number
    worker?: { id: string; host: string }
    specHash?: string
    version?: number
    lastSuccess?: { dagRunId: string; specHash: string; version?: number }
    attempts?: Schemas['Attempt'][]
    error: string
    paramsList: { name: string; value: string }[]
    nodes: Schemas['OutlineNode'][]
    onInit?: Schemas['OutlineNode']
    onExit?: Schemas['OutlineNode']
    onSuccess?: Schemas['OutlineNode']
    onFailure?: Schemas['OutlineNode']
    onCancel?: Schemas['OutlineNode']
  }
  OutlineNode: {
    step: { name: string; depends: string[] }
    status: number
    startedAtMs?: number
    finishedAtMs?: number
    durationMs?: number
    exitCode?: number
    retryCount?: number
    tries?: { startedAtMs?: number; finishedAtMs?: number }[]
    children?: { dagRunId: string; name: string; status: number }[]
    error?: string
  }
  LogChunk: {
    content: string
    lineCount: number
    totalLines: number
    hasMore: boolean
    isEstimate: boolean
    firstLine: number
    totalBytes: number
    position: string
    isOver: boolean
    cut?: { line: number; bytes: number }[]
  }
  Queue: {
    name: string
    type: 'custom' | 'dag-based' | 'global'
    maxConcurrency?: number
    summary: { running: number; queued: number; total: number }
    runningDAGRuns: Schemas['QueuedRun'][]
    queuedDAGRuns: Schemas['QueuedRun'][]
    used: number
    limit: number
    waiting: number
    oldestWaitMs?: number
    oldestQueuedAtMs?: number
    startsLastHour?: number
    paused: boolean
    pausedAt?: string
    pausedBy?: string
    limitOverride?: { setBy: string; setAt: string; configuredLimit?: number }
    running: Schemas['RunSummary'][]
    queued: Schemas['RunSummary'][]
  }
  QueueSummary: {
    name: string
    type: 'custom' | 'dag-based' | 'global'
    maxConcurrency?: number
    summary: { running: number; queued: number; total: number }
    used: number
    limit: number
    waiting: number
    oldestWaitMs?: number
    oldestQueuedAtMs?: number
    startsLastHour?: number
    paused: boolean
    pausedAt?: string
    pausedBy?: string
    limitOverride?: { setBy: string; setAt: string; configuredLimit?: number }
  }
  QueueItem: {
    rootDAGRunName: string
    rootDAGRunId: string
    parentDAGRunName: string
    parentDAGRunId: string
    dagRunId: string
    name: string
    status: number
    statusLabel: string
    queuedAt: string
    startedAt: string
    finishedAt: string
    durationMs?: number
    log: string
    params: string
    triggerType: 'manual' | 'scheduler' | 'subdag' | 'retry' | 'unknown'
    triggeredBy?: string
    scheduleTime: string
    workerId: string
    attempt?: number
    queuedAtMs?: number
    startedAtMs?: number
    finishedAtMs?: number
    scheduledAtMs?: number
    fileName?: string
    position?: number
    waitedMs?: number
    priority: number
  }
  Task: {
    dagName: string
    dagRunId: string
    rootDagRunName: string
    rootDagRunId: string
    parentDagRunName: string
    parentDagRunId: string
    startedAt: string
  }
  Worker: {
    id: string
    labels: Record<string, string>
    health_status:
      | 'WORKER_HEALTH_STATUS_HEALTHY'
      | 'WORKER_HEALTH_STATUS_WARNING'
      | 'WORKER_HEALTH_STATUS_UNHEALTHY'
    last_heartbeat: string
    draining: boolean
    running_tasks: Schemas['Task'][]
    healthStatus: 'healthy' | 'warning' | 'unhealthy'
    lastHeartbeatAt: string
    runningTasks: Schemas['Task'][]
    totalPollers: number
    busyPollers: number
    host: string
    startedAt: string
    slots: number
    used: number
    drainedBy?: string
  }
  Session: {
    authRequired: boolean
    methods: ('password' | 'token')[]
    name?: string
    role?: 'viewer' | 'operator' | 'editor' | 'admin'
    expiresAt?: string
    expiresAtMs?: number
    version: string
    instance: { zone: string }
    nodes: string[]
    can: { read: boolean; run: boolean; write: boolean; admin: boolean }
    limits: {
      specBytes: number
      paramsBytes: number
      logLines: number
      logBytes: number
      dagsPerPage: number
      runsPerPage: number
      eventStreams: number
    }
  }
  User: {
    username: string
    role: 'viewer' | 'operator' | 'editor' | 'admin'
    disabled: boolean
    createdAt: string
    updatedAt: string
  }
  ApiKey: {
    id: string
    name: string
    role: 'viewer' | 'operator' | 'editor' | 'admin'
    prefix: string
    createdBy: string
    owner: string
    createdAt: string
    expiresAt: string
    lastUsedAt: string
    revokedAt: string
  }
  Finding: { check: string; level: 'ok' | 'warn' | 'fail'; text: string; advice?: string }
  ServiceProcess: {
    id: string
    part: string
    host: string
    pid: number
    version: string
    startedAt: string
    seenAt: string
    isActive: boolean
  }
  Setting: {
    name: string
    value: string
    source: 'environment' | 'database' | 'default'
    appliedBy?: string
    isSecret: boolean
    default: string
    description: string
  }
  RemoteNode: {
    name: string
    baseUrl: string
    state: 'reachable' | 'refused' | 'unreachable'
    tookMs: number
    version?: string
    role?: 'viewer' | 'operator' | 'editor' | 'admin'
    error?: string
  }
}

export interface Operations {
  /** Report whether the service works */
  getHealth: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: Schemas['Health']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Health']
    }
  }
  /** Metrics in the Prometheus text format */
  getMetrics: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: string
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show running, failed, upcoming and late runs in one response */
  getOverview: {
    request: { query?: { hours?: number; remoteNode?: string } }
    replies: {
      200: {
        from: string
        to: string
        running: number
        queued: number
        oldestWaitMs?: number
        runners: { live: number; busy: number; slots: number; used: number }
        ended: { succeeded: number; partlySucceeded: number; failed: number; cancelled: number }
        before: { succeeded: number; partlySucceeded: number; failed: number; cancelled: number }
        histogram: { at: string; counts: Record<string, number>; p50Ms?: number }[]
        failing: { name: string; failed: number; newestRunId: string }[]
        longest: { name: string; dagRunId: string; startedAt: string; ms: number; p95Ms?: number }[]
        next: { fileName: string; at: string; zone: string }[]
        late: { fileName: string; at: string; zone: string }[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** The format of DAG files as a JSON Schema, for editors */
  getDagSchema: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: Record<string, unknown>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** This document */
  getOpenApi: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: Record<string, unknown>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Run one tick, for an external scheduler; needs the tick token, or an admin */
  tickNow: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: {
        fired: number
        promoted: number
        takenOver: number
        stopped: number
        removed: number
        nextDueMs: number
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Examine the deployment: findings, processes with their versions, migrations, limits */
  getSystem: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: {
        version: string
        startedAt: string
        findings: Schemas['Finding'][]
        processes: Schemas['ServiceProcess'][]
        migrations: {
          applied: { name: string; at: string }[]
          pending: string[]
          changed: string[]
          newer: string[]
        }
        limits: Record<string, number>
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the settings of the process that answers; secrets are never shown */
  listSettings: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: { settings: Schemas['Setting'][] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the remote nodes, and whether each accepts its credential */
  listNodes: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: { nodes: Schemas['RemoteNode'][] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the caller, their rights, and the ways to sign in */
  getSession: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: Schemas['Session']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Sign in with a password, an API key or a token; the response sets a cookie */
  createSession: {
    request: {
      query?: { remoteNode?: string }
      body?: { username?: string; password?: string; token?: string }
    }
    replies: {
      201: Schemas['Session']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Sign out: end the session of the cookie on all instances */
  deleteSession: {
    request: { query?: { remoteNode?: string } }
    replies: {
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the preferences of the calling user */
  getPreferences: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: { kept: boolean; preferences: Record<string, unknown> }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Store the preferences of the calling user */
  updatePreferences: {
    request: { query?: { remoteNode?: string }; body?: Record<string, unknown> }
    replies: {
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Find DAGs, runs and steps by their names and ids */
  searchNames: {
    request: { query?: { q?: string; limit?: number; remoteNode?: string } }
    replies: {
      200: {
        dags: { fileName: string; name: string; group: string; suspended: boolean; state: string }[]
        runs: {
          name: string
          dagRunId: string
          status: number
          statusLabel: string
          startedAtMs?: number
          durationMs?: number
          triggerType: string
        }[]
        steps: { fileName: string; step: string; line?: number }[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List DAGs, page by page */
  listDags: {
    request: {
      query?: {
        page?: number
        perPage?: number
        name?: string
        tag?: string
        group?: string
        state?: string
        suspended?: 'true' | 'false'
        errors?: 'true' | 'false'
        q?: string
        sort?: 'name' | 'last' | 'next' | 'nextRun' | 'state' | 'duration'
        runs?: number
        order?: 'asc' | 'desc'
        remoteNode?: string
      }
    }
    replies: {
      200: { dags: Schemas['DagListItem'][]; errors: string[]; pagination: Schemas['Pagination'] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Create a DAG; without a spec, one with a single echo step */
  createDag: {
    request: { query?: { remoteNode?: string }; body: { name: string; spec?: string; message?: string } }
    replies: {
      201: { name: string; warnings: Schemas['Problem'][] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Check a spec without storing it; with plan=true, also show what a run of it would do */
  validateDag: {
    request: {
      query?: { plan?: 'true' | 'false'; remoteNode?: string }
      body: { spec: string; name?: string; params?: string | unknown[] | Record<string, unknown> }
    }
    replies: {
      200: {
        valid: boolean
        errors: string[]
        problems: Schemas['Problem'][]
        warnings: Schemas['Problem'][]
        steps: { name: string; depends: string[]; call?: string; firstLine: number; lastLine: number }[]
        dag: Schemas['DagSummary']
        plan?: {
          order: string[][]
          steps: { name: string; handler?: string; executor: string; dependsOn: string[]; work: string[] }[]
          values: { name: string; value: string; origin: 'default' | 'given' | 'env' | 'secret' }[]
          nextFires: string[]
          queue: string
          workerSelector: Record<string, string>
          warnings: string[]
        }
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Start, enqueue, suspend or resume several DAGs; each gets its own result */
  batchDags: {
    request: {
      query?: { remoteNode?: string }
      headers?: { 'Idempotency-Key'?: string }
      body: {
        action: 'start' | 'enqueue' | 'suspend' | 'resume'
        files: string[]
        params?: string | unknown[] | Record<string, unknown>
        singleton?: boolean
        queue?: string
      }
    }
    replies: {
      200: {
        results: {
          fileName: string
          dagRunId?: string
          status: number
          code?:
            | 'forbidden'
            | 'bad_request'
            | 'not_found'
            | 'internal_error'
            | 'unauthorized'
            | 'bad_gateway'
            | 'remote_node_error'
            | 'already_running'
            | 'not_running'
            | 'already_exists'
            | 'read_only'
            | 'service_unavailable'
          message?: string
        }[]
        done: number
        failed: number
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Find a literal text in the specs of all DAGs, ignoring case */
  searchDags: {
    request: { query: { q: string; remoteNode?: string } }
    replies: {
      200: {
        results: {
          name: string
          dag: Schemas['DagSummary']
          matches: { line: string; lineNumber: number; startLine: number }[]
        }[]
        errors: string[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the distinct tags of all DAGs, sorted */
  listTags: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: { tags: string[]; errors: string[] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Count the DAGs by the status of their newest run, by tag and by group */
  countDags: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: {
        total: number
        byState: Record<string, number>
        suspended: number
        withErrors: number
        tags: { name: string; count: number }[]
        groups: { name: string; count: number }[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show a DAG with its steps, its local DAGs and its latest run */
  getDag: {
    request: { params: { fileName: string }; query?: { remoteNode?: string } }
    replies: {
      200: {
        dag: Schemas['DagDetails']
        localDags: Schemas['LocalDag'][]
        latestDAGRun: {
          rootDAGRunName: string
          rootDAGRunId: string
          parentDAGRunName: string
          parentDAGRunId: string
          dagRunId: string
          name: string
          status: number
          statusLabel: string
          queuedAt: string
          startedAt: string
          finishedAt: string
          durationMs?: number
          log: string
          params: string
          triggerType: 'manual' | 'scheduler' | 'subdag' | 'retry' | 'unknown'
          triggeredBy?: string
          scheduleTime: string
          workerId: string
          attempt?: number
          queuedAtMs?: number
          startedAtMs?: number
          finishedAtMs?: number
          scheduledAtMs?: number
          fileName?: string
          createdAtMs?: number
          trigger?: string
          scheduledAt?: string
          stopRequestedAt?: string
          stopRequestedAtMs?: number
          queue?: string
          priority?: number
          worker?: { id: string; host: string }
          specHash?: string
          version?: number
          lastSuccess?: { dagRunId: string; specHash: string; version?: number }
          attempts?: Schemas['Attempt'][]
          nodes: Schemas['Node'][]
          onInit: Schemas['Node'] | null
          onExit: Schemas['Node'] | null
          onSuccess: Schemas['Node'] | null
          onFailure: Schemas['Node'] | null
          onCancel: Schemas['Node'] | null
          preconditions: Schemas['Precondition'][]
          error: string
        }
        suspended: boolean
        suspendedAt?: string
        suspendedBy?: string
        errors: string[]
        paramDefs: { name?: string; position?: number; default: string }[]
        paramsSchema?: Record<string, unknown>
        version: number
        updatedAt: string
        nextRuns: string[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Delete a DAG; its runs stay in the history, its versions for 30 days */
  deleteDag: {
    request: { params: { fileName: string }; query?: { remoteNode?: string } }
    replies: {
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the text of a DAG as it was saved; only editors see the secrets in it */
  getDagSpec: {
    request: { params: { fileName: string }; query?: { remoteNode?: string } }
    replies: {
      200: { dag: Schemas['DagDetails']; spec: string; readOnly?: string; errors: string[] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Replace the text of a DAG; a text with errors is not saved */
  updateDagSpec: {
    request: {
      params: { fileName: string }
      query?: { remoteNode?: string }
      headers?: { 'If-Match'?: string }
      body: { spec: string; message?: string }
    }
    replies: {
      200: { errors?: string[]; problems: Schemas['Problem'][]; warnings: Schemas['Problem'][] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      409: Schemas['Error']
      412: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the versions of a DAG, also of a deleted one: who changed it and when, newest first */
  listDagVersions: {
    request: {
      params: { fileName: string }
      query?: { limit?: number; cursor?: string; remoteNode?: string }
    }
    replies: {
      200: { versions: Schemas['DagVersion'][]; nextCursor?: string }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return a version of a DAG with its text; only editors see the secrets in it */
  getDagVersion: {
    request: { params: { fileName: string; version: number }; query?: { remoteNode?: string } }
    replies: {
      200: {
        version: number
        fileName: string
        change: 'created' | 'saved' | 'renamed' | 'restored' | 'deleted'
        restoredVersion?: number
        savedAt: string
        savedAtMs: number
        savedBy?: string
        source: 'page' | 'cli' | 'api' | 'folder' | 'service'
        message?: string
        spec: string
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Restore a version of a DAG, or a deleted DAG */
  restoreDagVersion: {
    request: {
      params: { fileName: string; version: number }
      query?: { remoteNode?: string }
      headers?: { 'If-Match'?: string }
      body?: { message?: string }
    }
    replies: {
      200: { version: number; warnings: Schemas['Problem'][] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      409: Schemas['Error']
      412: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Rename the file of a DAG */
  renameDag: {
    request: { params: { fileName: string }; query?: { remoteNode?: string }; body: { newFileName: string } }
    replies: {
      200: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Start a run of a DAG without waiting in its queue */
  startDag: {
    request: {
      params: { fileName: string }
      query?: { remoteNode?: string }
      headers?: { 'Idempotency-Key'?: string }
      body?: { params?: string | unknown[] | Record<string, unknown>; dagRunId?: string; singleton?: boolean }
    }
    replies: {
      200: { dagRunId: string }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Queue a run of a DAG */
  enqueueDag: {
    request: {
      params: { fileName: string }
      query?: { remoteNode?: string }
      headers?: { 'Idempotency-Key'?: string }
      body?: {
        params?: string | unknown[] | Record<string, unknown>
        dagRunId?: string
        singleton?: boolean
        queue?: string
      }
    }
    replies: {
      200: { dagRunId: string }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Suspend or resume the schedule of a DAG */
  suspendDag: {
    request: { params: { fileName: string }; query?: { remoteNode?: string }; body?: { suspend?: boolean } }
    replies: {
      200: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Stop all active runs of a DAG; queued runs stay queued */
  stopAllDagRuns: {
    request: { params: { fileName: string }; query?: { remoteNode?: string } }
    replies: {
      200: { errors: string[] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show the newest runs of a DAG and a grid of their step statuses */
  listDagHistory: {
    request: {
      params: { fileName: string }
      query?: { status?: number; limit?: number; cursor?: string; nodes?: 'none'; remoteNode?: string }
    }
    replies: {
      200: {
        dagRuns: {
          rootDAGRunName: string
          rootDAGRunId: string
          parentDAGRunName: string
          parentDAGRunId: string
          dagRunId: string
          name: string
          status: number
          statusLabel: string
          queuedAt: string
          startedAt: string
          finishedAt: string
          durationMs?: number
          log: string
          params: string
          triggerType: 'manual' | 'scheduler' | 'subdag' | 'retry' | 'unknown'
          triggeredBy?: string
          scheduleTime: string
          workerId: string
          nodes: Schemas['Node'][]
        }[]
        gridData: { name: string; history: number[] }[]
        nextCursor?: string
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show success rate and durations of the newest runs of a DAG and of their steps */
  getDagStats: {
    request: { params: { fileName: string }; query?: { runs?: number; remoteNode?: string } }
    replies: {
      200: {
        runs: number
        successRate?: number
        p50Ms?: number
        p95Ms?: number
        waitP50Ms?: number
        steps: Record<string, { p50Ms?: number; p95Ms?: number; failRate: number }>
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show one run of a DAG */
  getDagRunOfDag: {
    request: { params: { fileName: string; dagRunId: string }; query?: { remoteNode?: string } }
    replies: {
      200: { dagRun: Schemas['RunDetails'] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show only the status of the newest run of every DAG, by group */
  listDagStates: {
    request: {
      query?: {
        name?: string
        tag?: string
        group?: string
        state?: string
        suspended?: 'true' | 'false'
        errors?: 'true' | 'false'
        q?: string
        remoteNode?: string
      }
    }
    replies: {
      200: {
        total: number
        groups: { name: string; dags: { fileName: string; status?: number; suspended?: true }[] }[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the runs of all DAGs, newest first */
  listDagRuns: {
    request: {
      query?: {
        status?: number | string
        tag?: string
        group?: string
        trigger?: 'manual' | 'scheduler' | 'retry'
        worker?: string
        q?: string
        minMs?: number
        fromDate?: number
        toDate?: number
        limit?: number
        fields?: 'more'
        cursor?: string
        dagRunId?: string
        name?: string
        remoteNode?: string
      }
    }
    replies: {
      200: { dagRuns: Schemas['RunSummary'][]; nextCursor?: string } | ReadableStream<Uint8Array>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Start a run of the DAG in the request, which is not stored as a file */
  startInlineRun: {
    request: {
      query?: { remoteNode?: string }
      headers?: { 'Idempotency-Key'?: string }
      body: {
        params?: string | unknown[] | Record<string, unknown>
        dagRunId?: string
        singleton?: boolean
        spec: string
        name?: string
      }
    }
    replies: {
      200: { dagRunId: string }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Queue a run of the DAG in the request, which is not stored as a file */
  enqueueInlineRun: {
    request: {
      query?: { remoteNode?: string }
      headers?: { 'Idempotency-Key'?: string }
      body: {
        params?: string | unknown[] | Record<string, unknown>
        dagRunId?: string
        singleton?: boolean
        spec: string
        name?: string
        queue?: string
      }
    }
    replies: {
      200: { dagRunId: string }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Stop, retry or dequeue several runs; each gets its own result */
  batchDagRuns: {
    request: {
      query?: { remoteNode?: string }
      headers?: { 'Idempotency-Key'?: string }
      body: { action: 'stop' | 'retry' | 'dequeue'; runs: { name: string; dagRunId: string }[] }
    }
    replies: {
      200: {
        results: {
          name: string
          dagRunId: string
          status: number
          code?:
            | 'forbidden'
            | 'bad_request'
            | 'not_found'
            | 'internal_error'
            | 'unauthorized'
            | 'bad_gateway'
            | 'remote_node_error'
            | 'already_running'
            | 'not_running'
            | 'already_exists'
            | 'read_only'
            | 'service_unavailable'
          message?: string
        }[]
        done: number
        failed: number
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Count all runs of a time range by status, in buckets of equal length */
  getRunHistogram: {
    request: {
      query?: {
        from?: number
        to?: number
        buckets?: number
        status?: number | string
        tag?: string
        group?: string
        trigger?: 'manual' | 'scheduler' | 'retry'
        worker?: string
        q?: string
        minMs?: number
        name?: string
        remoteNode?: string
      }
    }
    replies: {
      200: { at: string; counts: Record<string, number>; p50Ms?: number }[]
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the runs of one DAG, newest first */
  listDagRunsByName: {
    request: {
      params: { name: string }
      query?: {
        status?: number | string
        tag?: string
        group?: string
        trigger?: 'manual' | 'scheduler' | 'retry'
        worker?: string
        q?: string
        minMs?: number
        fromDate?: number
        toDate?: number
        limit?: number
        fields?: 'more'
        cursor?: string
        dagRunId?: string
        remoteNode?: string
      }
    }
    replies: {
      200: { dagRuns: Schemas['RunSummary'][]; nextCursor?: string } | ReadableStream<Uint8Array>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show a run with its steps */
  getDagRun: {
    request: {
      params: { name: string; dagRunId: string }
      query?: { attempt?: number; why?: 'true' | 'false'; remoteNode?: string }
    }
    replies: {
      200: {
        dagRun: Schemas['RunDetails']
        dagRunDetails: Schemas['RunDetails']
        why?: { status: number; statusLabel: string; reasons: Schemas['Reason'][] }
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show a run with its steps in brief, for runs with thousands of steps */
  getRunOutline: {
    request: { params: { name: string; dagRunId: string }; query?: { attempt?: number; remoteNode?: string } }
    replies: {
      200: Schemas['RunOutline']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Stop an active run and its child runs */
  stopDagRun: {
    request: { params: { name: string; dagRunId: string }; query?: { remoteNode?: string } }
    replies: {
      200: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Retry the unsuccessful steps under the same id, or repeat the whole run under another id */
  retryDagRun: {
    request: {
      params: { name: string; dagRunId: string }
      query?: { remoteNode?: string }
      headers?: { 'Idempotency-Key'?: string }
      body?: { dagRunId?: string; stepName?: string }
    }
    replies: {
      200: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Start a new run with the definition and params of this one */
  rescheduleDagRun: {
    request: {
      params: { name: string; dagRunId: string }
      query?: { remoteNode?: string }
      headers?: { 'Idempotency-Key'?: string }
      body?: { dagRunId?: string; dagName?: string; singleton?: boolean }
    }
    replies: {
      200: { dagRunId: string; queued: boolean }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Remove a queued run from its queue; the history keeps it as cancelled */
  dequeueDagRun: {
    request: { params: { name: string; dagRunId: string }; query?: { remoteNode?: string } }
    replies: {
      200: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return lines of the log of a run */
  getDagRunLog: {
    request: {
      params: { name: string; dagRunId: string }
      query?: {
        tail?: number
        head?: number
        offset?: number
        attempt?: number
        lineBytes?: number
        limit?: number
        remoteNode?: string
      }
    }
    replies: {
      200: Schemas['LogChunk']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the whole log of a run as a file */
  downloadDagRunLog: {
    request: { params: { name: string; dagRunId: string }; query?: { attempt?: number; remoteNode?: string } }
    replies: {
      200: string
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Find the lines of the log of a run that contain a text or match an RE2 expression */
  searchDagRunLog: {
    request: {
      params: { name: string; dagRunId: string }
      query: {
        attempt?: number
        q: string
        regex?: 'true' | 'false'
        case?: 'true' | 'false'
        from?: number
        limit?: number
        remoteNode?: string
      }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the output of all steps of a run, in chronological order */
  getMergedLog: {
    request: {
      params: { name: string; dagRunId: string }
      query?: {
        attempt?: number
        step?: string
        stream?: 'stdout' | 'stderr'
        from?: string
        tail?: number
        limit?: number
        remoteNode?: string
      }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show one step of a run */
  getStep: {
    request: {
      params: { name: string; dagRunId: string; stepName: string }
      query?: { attempt?: number; remoteNode?: string }
    }
    replies: {
      200: Schemas['Node']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return lines of the output of a step */
  getStepLog: {
    request: {
      params: { name: string; dagRunId: string; stepName: string }
      query?: {
        tail?: number
        head?: number
        offset?: number
        attempt?: number
        lineBytes?: number
        limit?: number
        stream?: 'stdout' | 'stderr'
        remoteNode?: string
      }
    }
    replies: {
      200: Schemas['LogChunk']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the whole output of a step as a file */
  downloadStepLog: {
    request: {
      params: { name: string; dagRunId: string; stepName: string }
      query?: { stream?: 'stdout' | 'stderr'; attempt?: number; remoteNode?: string }
    }
    replies: {
      200: string
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Find the lines of the output of a step that contain a text or match an RE2 expression */
  searchStepLog: {
    request: {
      params: { name: string; dagRunId: string; stepName: string }
      query: {
        stream?: 'stdout' | 'stderr'
        attempt?: number
        q: string
        regex?: 'true' | 'false'
        case?: 'true' | 'false'
        from?: number
        limit?: number
        remoteNode?: string
      }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Follow a run: its state, then each change of the run (run) and of its steps (step), then end */
  followDagRun: {
    request: {
      params: { name: string; dagRunId: string }
      query?: { form?: 'whole' | 'outline'; remoteNode?: string }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Follow the log of a run: whole lines (lines), pieces of a very long one (part), then end */
  followDagRunLog: {
    request: {
      params: { name: string; dagRunId: string }
      query?: { attempt?: number; position?: string; tail?: number; remoteNode?: string }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Follow the output of a step: whole lines (lines), pieces of a very long one (part), then end */
  followStepLog: {
    request: {
      params: { name: string; dagRunId: string; stepName: string }
      query?: {
        stream?: 'stdout' | 'stderr'
        attempt?: number
        position?: string
        tail?: number
        remoteNode?: string
      }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Set the status of a step of a finished run by hand */
  updateStepStatus: {
    request: {
      params: { name: string; dagRunId: string; stepName: string }
      query?: { remoteNode?: string }
      body: { status: number }
    }
    replies: {
      200: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the text that a run was created from; only editors see the secrets in it */
  getDagRunSpec: {
    request: { params: { name: string; dagRunId: string }; query?: { remoteNode?: string } }
    replies: {
      200: { spec: string }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the captured outputs of a run */
  getDagRunOutputs: {
    request: { params: { name: string; dagRunId: string }; query?: { remoteNode?: string } }
    replies: {
      200: {
        metadata: {
          dagName: string
          dagRunId: string
          attemptId: string
          status: string
          completedAt: string
          params: string
        }
        outputs: Record<string, string>
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Explain why a run waits, or why it ended */
  explainDagRun: {
    request: { params: { name: string; dagRunId: string }; query?: { remoteNode?: string } }
    replies: {
      200: { status: number; statusLabel: string; reasons: Schemas['Reason'][] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the child runs of a run, oldest first */
  listChildRuns: {
    request: { params: { name: string; dagRunId: string }; query?: { remoteNode?: string } }
    replies: {
      200: { subRuns: Schemas['ListedChild'][] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show a run below a root run, at any depth */
  getChildRun: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string }
      query?: { attempt?: number; remoteNode?: string }
    }
    replies: {
      200: {
        dagRun: Schemas['RunDetails']
        dagRunDetails: Schemas['RunDetails']
        why?: { status: number; statusLabel: string; reasons: Schemas['Reason'][] }
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show a child run with its steps in brief */
  getChildRunOutline: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string }
      query?: { attempt?: number; remoteNode?: string }
    }
    replies: {
      200: Schemas['RunOutline']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Follow a child run, with the events of a root run */
  followChildRun: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string }
      query?: { form?: 'whole' | 'outline'; remoteNode?: string }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return lines of the log of a child run */
  getChildRunLog: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string }
      query?: {
        tail?: number
        head?: number
        offset?: number
        attempt?: number
        lineBytes?: number
        limit?: number
        remoteNode?: string
      }
    }
    replies: {
      200: Schemas['LogChunk']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the whole log of a child run as a file */
  downloadChildRunLog: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string }
      query?: { attempt?: number; remoteNode?: string }
    }
    replies: {
      200: string
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Find the lines of the log of a child run that contain a text or match an RE2 expression */
  searchChildRunLog: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string }
      query: {
        attempt?: number
        q: string
        regex?: 'true' | 'false'
        case?: 'true' | 'false'
        from?: number
        limit?: number
        remoteNode?: string
      }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the output of all steps of a child run, in chronological order */
  getMergedChildLog: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string }
      query?: {
        attempt?: number
        step?: string
        stream?: 'stdout' | 'stderr'
        from?: string
        tail?: number
        limit?: number
        remoteNode?: string
      }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Follow the log of a child run, with the events of the log of a run */
  followChildRunLog: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string }
      query?: { attempt?: number; position?: string; tail?: number; remoteNode?: string }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show one step of a child run */
  getChildStep: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string; stepName: string }
      query?: { attempt?: number; remoteNode?: string }
    }
    replies: {
      200: Schemas['Node']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return lines of the output of a step of a child run */
  getChildStepLog: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string; stepName: string }
      query?: {
        tail?: number
        head?: number
        offset?: number
        attempt?: number
        lineBytes?: number
        limit?: number
        stream?: 'stdout' | 'stderr'
        remoteNode?: string
      }
    }
    replies: {
      200: Schemas['LogChunk']
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Return the whole output of a step of a child run as a file */
  downloadChildStepLog: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string; stepName: string }
      query?: { stream?: 'stdout' | 'stderr'; attempt?: number; remoteNode?: string }
    }
    replies: {
      200: string
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Find the lines of the output of a step of a child run that contain a text or match an expression */
  searchChildStepLog: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string; stepName: string }
      query: {
        stream?: 'stdout' | 'stderr'
        attempt?: number
        q: string
        regex?: 'true' | 'false'
        case?: 'true' | 'false'
        from?: number
        limit?: number
        remoteNode?: string
      }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Follow the output of a step of a child run, with the events of a step */
  followChildStepLog: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string; stepName: string }
      query?: {
        stream?: 'stdout' | 'stderr'
        attempt?: number
        position?: string
        tail?: number
        remoteNode?: string
      }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Set the status of a step of a finished child run by hand */
  updateChildStepStatus: {
    request: {
      params: { name: string; dagRunId: string; childDAGRunId: string; stepName: string }
      query?: { remoteNode?: string }
      body: { status: number }
    }
    replies: {
      200: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Follow lists: changed rows (dag, dag-state, run), numbers (counts), and requests to reload (reset) */
  followService: {
    request: {
      query: {
        page?: number
        perPage?: number
        name?: string
        tag?: string
        group?: string
        state?: string
        suspended?: 'true' | 'false'
        errors?: 'true' | 'false'
        q?: string
        sort?: 'name' | 'last' | 'next' | 'nextRun' | 'state' | 'duration'
        runs?: number
        order?: 'asc' | 'desc'
        status?: number | string
        trigger?: 'manual' | 'scheduler' | 'retry'
        worker?: string
        minMs?: number
        fromDate?: number
        toDate?: number
        limit?: number
        fields?: 'more'
        dagRunId?: string
        topics: ('dags' | 'states' | 'runs' | 'queues' | 'workers' | 'overview')[]
        remoteNode?: string
      }
    }
    replies: {
      200: ReadableStream<Uint8Array>
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show when schedules fire in a time range, and what happened at past times */
  getSchedule: {
    request: {
      query?: { from?: number; to?: number; limit?: number; dag?: string; zone?: string; remoteNode?: string }
    }
    replies: {
      200: {
        from: string
        to: string
        now: string
        zone: string
        fires: {
          at: string
          fileName: string
          kind: 'start' | 'stop' | 'restart'
          zone?: string
          suspended?: true
          run?: { dagRunId: string; name: string; status: number; statusLabel: string; lateMs: number }
          missed?: string
          overdue?: true
        }[]
        started: number
        coming: number
        hours: { day: string; hour: number; starts: number; peak: number; peakAt: string }[]
        clockChanges: { at: string; zone: string; minutes: number }[]
        entries?: { kind: 'start' | 'stop' | 'restart'; expression: string; zone: string; hasZone: boolean }[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show the scheduled times that a changed spec adds and removes, without storing it */
  previewSchedule: {
    request: { query?: { remoteNode?: string }; body: { spec: string; name?: string; days?: number } }
    replies: {
      200: {
        valid: boolean
        errors: string[]
        isNew: boolean
        suspended: boolean
        from: string
        to: string
        adds: { at: string; kind: 'start' | 'stop' | 'restart'; zone: string }[]
        removes: { at: string; kind: 'start' | 'stop' | 'restart'; zone: string }[]
        added: number
        removed: number
        kept: number
        collisions: { at: string; others: number }[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the queues with their running and waiting runs */
  listQueues: {
    request: { query?: { summary?: 'true' | 'false'; remoteNode?: string } }
    replies: {
      200: {
        queues: Schemas['Queue'][]
        summary: {
          totalQueues: number
          totalRunning: number
          totalQueued: number
          totalCapacity: number
          utilizationPercentage: number
        }
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show a queue: its limit, how many runs use a slot or wait, and whether it is paused */
  getQueue: {
    request: { params: { name: string }; query?: { remoteNode?: string } }
    replies: {
      200: { queue: Schemas['QueueSummary'] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Pause or resume a queue, set or clear its limit; absent fields change nothing */
  controlQueue: {
    request: {
      params: { name: string }
      query?: { remoteNode?: string }
      body?: { paused?: boolean; limit?: number | null }
    }
    replies: {
      200: { queue: Schemas['QueueSummary'] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the runs that wait in a queue with their positions, or those that use a slot */
  listQueueItems: {
    request: {
      params: { name: string }
      query?: { state?: 'queued' | 'running'; limit?: number; cursor?: string; remoteNode?: string }
    }
    replies: {
      200: {
        items: Schemas['QueueItem'][]
        nextCursor?: string
        why?: { rule: string; text: string; step?: string; runs?: { name: string; dagRunId: string }[] }
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the registered runners and their runs */
  listWorkers: {
    request: { query?: { unserved?: 'true' | 'false'; remoteNode?: string } }
    replies: {
      200: {
        workers: Schemas['Worker'][]
        errors: string[]
        unservedDags?: {
          dags: { fileName: string; name: string; labels: Record<string, string> }[]
          total: number
        }
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Drain a runner: until it is resumed, it claims no runs and only finishes its own */
  drainWorker: {
    request: { params: { id: string }; query?: { remoteNode?: string } }
    replies: {
      200: { worker: Schemas['Worker'] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Resume a drained runner */
  resumeWorker: {
    request: { params: { id: string }; query?: { remoteNode?: string } }
    replies: {
      200: { worker: Schemas['Worker'] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the processes that run ticks */
  listSchedulers: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: {
        schedulers: {
          instanceId: string
          host: string
          status: 'active' | 'inactive' | 'unknown'
          startedAt: string
          heartbeatAt: string
        }[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show the coordinator of the runners, which is the database */
  listCoordinators: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: {
        coordinators: {
          instanceId: string
          host: string
          status: 'active' | 'inactive' | 'unknown'
          startedAt: string
          port: number
        }[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Show the load of the machine that answers, sampled since the first such request to this instance */
  getResourceHistory: {
    request: { query?: { duration?: string; remoteNode?: string } }
    replies: {
      200: {
        cpu: { timestamp: number; value: number }[]
        memory: { timestamp: number; value: number }[]
        disk: { timestamp: number; value: number }[]
        load: { timestamp: number; value: number }[]
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the users */
  listUsers: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: { users: Schemas['User'][] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Add a user, who logs in by name and password */
  createUser: {
    request: {
      query?: { remoteNode?: string }
      body: { username: string; password: string; role: 'viewer' | 'operator' | 'editor' | 'admin' }
    }
    replies: {
      201: { user: Schemas['User'] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      409: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Change the role or the password of a user, or disable the user */
  updateUser: {
    request: {
      params: { username: string }
      query?: { remoteNode?: string }
      body?: { password?: string; role?: 'viewer' | 'operator' | 'editor' | 'admin'; disabled?: boolean }
    }
    replies: {
      200: { user: Schemas['User'] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Remove a user */
  deleteUser: {
    request: { params: { username: string }; query?: { remoteNode?: string } }
    replies: {
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Sign a user out everywhere; keys and password stay valid */
  endUserSessions: {
    request: { params: { username: string }; query?: { remoteNode?: string } }
    replies: {
      200: { ended: number }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List the API keys, newest first; the keys themselves are not stored */
  listApiKeys: {
    request: { query?: { remoteNode?: string } }
    replies: {
      200: { apiKeys: Schemas['ApiKey'][] }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Create an API key; only this response contains the key */
  createApiKey: {
    request: {
      query?: { remoteNode?: string }
      body: { name: string; role: 'viewer' | 'operator' | 'editor' | 'admin'; expiresInDays?: number }
    }
    replies: {
      201: { apiKey: Schemas['ApiKey']; key: string }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** Revoke an API key; it stays in the list */
  revokeApiKey: {
    request: { params: { keyId: string }; query?: { remoteNode?: string } }
    replies: {
      204: undefined
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      404: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
  /** List changes and attempted changes with their actors, newest first */
  listAuditEntries: {
    request: {
      query?: {
        limit?: number
        cursor?: string
        actor?: string
        action?: string
        target?: string
        from?: number
        to?: number
        remoteNode?: string
      }
    }
    replies: {
      200: {
        entries: {
          at: string
          actor: string
          role: string
          action: string
          target: string
          address: string
          count: number
          requestId: string
          status: number
          changes: { field: string; before: string | null; after: string | null }[]
        }[]
        nextCursor?: string
      }
      400: Schemas['Error']
      401: Schemas['Error']
      403: Schemas['Error']
      500: Schemas['Error']
      502: Schemas['Error']
      503: Schemas['Error']
    }
  }
}

/** Method and path of every operation. */
export const endpoints: Readonly<Record<keyof Operations, readonly [method: string, path: string]>> = {
  getHealth: ['GET', '/health'],
  getMetrics: ['GET', '/metrics'],
  getOverview: ['GET', '/overview'],
  getDagSchema: ['GET', '/dag-schema.json'],
  getOpenApi: ['GET', '/openapi.json'],
  tickNow: ['POST', '/tick'],
  getSystem: ['GET', '/system'],
  listSettings: ['GET', '/system/settings'],
  listNodes: ['GET', '/system/nodes'],
  getSession: ['GET', '/session'],
  createSession: ['POST', '/session'],
  deleteSession: ['DELETE', '/session'],
  getPreferences: ['GET', '/session/preferences'],
  updatePreferences: ['PUT', '/session/preferences'],
  searchNames: ['GET', '/search'],
  listDags: ['GET', '/dags'],
  createDag: ['POST', '/dags'],
  validateDag: ['POST', '/dags/validate'],
  batchDags: ['POST', '/dags/batch'],
  searchDags: ['GET', '/dags/search'],
  listTags: ['GET', '/dags/tags'],
  countDags: ['GET', '/dags/counts'],
  getDag: ['GET', '/dags/{fileName}'],
  deleteDag: ['DELETE', '/dags/{fileName}'],
  getDagSpec: ['GET', '/dags/{fileName}/spec'],
  updateDagSpec: ['PUT', '/dags/{fileName}/spec'],
  listDagVersions: ['GET', '/dags/{fileName}/versions'],
  getDagVersion: ['GET', '/dags/{fileName}/versions/{version}'],
  restoreDagVersion: ['POST', '/dags/{fileName}/versions/{version}/restore'],
  renameDag: ['POST', '/dags/{fileName}/rename'],
  startDag: ['POST', '/dags/{fileName}/start'],
  enqueueDag: ['POST', '/dags/{fileName}/enqueue'],
  suspendDag: ['POST', '/dags/{fileName}/suspend'],
  stopAllDagRuns: ['POST', '/dags/{fileName}/stop-all'],
  listDagHistory: ['GET', '/dags/{fileName}/dag-runs'],
  getDagStats: ['GET', '/dags/{fileName}/stats'],
  getDagRunOfDag: ['GET', '/dags/{fileName}/dag-runs/{dagRunId}'],
  listDagStates: ['GET', '/dag-states'],
  listDagRuns: ['GET', '/dag-runs'],
  startInlineRun: ['POST', '/dag-runs'],
  enqueueInlineRun: ['POST', '/dag-runs/enqueue'],
  batchDagRuns: ['POST', '/dag-runs/batch'],
  getRunHistogram: ['GET', '/dag-runs/histogram'],
  listDagRunsByName: ['GET', '/dag-runs/{name}'],
  getDagRun: ['GET', '/dag-runs/{name}/{dagRunId}'],
  getRunOutline: ['GET', '/dag-runs/{name}/{dagRunId}/outline'],
  stopDagRun: ['POST', '/dag-runs/{name}/{dagRunId}/stop'],
  retryDagRun: ['POST', '/dag-runs/{name}/{dagRunId}/retry'],
  rescheduleDagRun: ['POST', '/dag-runs/{name}/{dagRunId}/reschedule'],
  dequeueDagRun: ['GET', '/dag-runs/{name}/{dagRunId}/dequeue'],
  getDagRunLog: ['GET', '/dag-runs/{name}/{dagRunId}/log'],
  downloadDagRunLog: ['GET', '/dag-runs/{name}/{dagRunId}/log/raw'],
  searchDagRunLog: ['GET', '/dag-runs/{name}/{dagRunId}/log/search'],
  getMergedLog: ['GET', '/dag-runs/{name}/{dagRunId}/log/steps'],
  getStep: ['GET', '/dag-runs/{name}/{dagRunId}/steps/{stepName}'],
  getStepLog: ['GET', '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log'],
  downloadStepLog: ['GET', '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/raw'],
  searchStepLog: ['GET', '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/search'],
  followDagRun: ['GET', '/dag-runs/{name}/{dagRunId}/events'],
  followDagRunLog: ['GET', '/dag-runs/{name}/{dagRunId}/log/stream'],
  followStepLog: ['GET', '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/stream'],
  updateStepStatus: ['PATCH', '/dag-runs/{name}/{dagRunId}/steps/{stepName}/status'],
  getDagRunSpec: ['GET', '/dag-runs/{name}/{dagRunId}/spec'],
  getDagRunOutputs: ['GET', '/dag-runs/{name}/{dagRunId}/outputs'],
  explainDagRun: ['GET', '/dag-runs/{name}/{dagRunId}/why'],
  listChildRuns: ['GET', '/dag-runs/{name}/{dagRunId}/children'],
  getChildRun: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}'],
  getChildRunOutline: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/outline'],
  followChildRun: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/events'],
  getChildRunLog: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log'],
  downloadChildRunLog: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log/raw'],
  searchChildRunLog: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log/search'],
  getMergedChildLog: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log/steps'],
  followChildRunLog: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/log/stream'],
  getChildStep: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}'],
  getChildStepLog: ['GET', '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/log'],
  downloadChildStepLog: [
    'GET',
    '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/log/raw',
  ],
  searchChildStepLog: [
    'GET',
    '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/log/search',
  ],
  followChildStepLog: [
    'GET',
    '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/log/stream',
  ],
  updateChildStepStatus: [
    'PATCH',
    '/dag-runs/{name}/{dagRunId}/children/{childDAGRunId}/steps/{stepName}/status',
  ],
  followService: ['GET', '/events'],
  getSchedule: ['GET', '/schedule'],
  previewSchedule: ['POST', '/schedule/preview'],
  listQueues: ['GET', '/queues'],
  getQueue: ['GET', '/queues/{name}'],
  controlQueue: ['PUT', '/queues/{name}'],
  listQueueItems: ['GET', '/queues/{name}/items'],
  listWorkers: ['GET', '/workers'],
  drainWorker: ['POST', '/workers/{id}/drain'],
  resumeWorker: ['POST', '/workers/{id}/resume'],
  listSchedulers: ['GET', '/services/scheduler'],
  listCoordinators: ['GET', '/services/coordinator'],
  getResourceHistory: ['GET', '/services/resources/history'],
  listUsers: ['GET', '/users'],
  createUser: ['POST', '/users'],
  updateUser: ['PATCH', '/users/{username}'],
  deleteUser: ['DELETE', '/users/{username}'],
  endUserSessions: ['DELETE', '/users/{username}/sessions'],
  listApiKeys: ['GET', '/api-keys'],
  createApiKey: ['POST', '/api-keys'],
  revokeApiKey: ['DELETE', '/api-keys/{keyId}'],
  listAuditEntries: ['GET', '/audit'],
}
