import * as v from 'valibot'
import { setting } from './setting.ts'
import { headers } from './values.ts'

export const telemetrySettings = {
  MILLRACE_LOG_LEVEL: setting(
    v.picklist(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent'),
    'info',
    'Level of the service log (on standard output); read-only calls are logged at `debug`.',
    'text',
  ),
  MILLRACE_LOG_FORMAT: setting(
    v.picklist(['auto', 'json', 'text'], 'must be auto, json or text'),
    'auto',
    'Format of the service log: auto is text for people on a terminal, and JSON lines elsewhere.',
    'text',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    v.pipe(v.string(), v.regex(/^https?:\/\/[^\s?#]+$/, 'must be http(s)://host:port')),
    '[none]',
    'Collector for traces (OTLP over HTTP): a span for each run and each attempt of a step.',
    'url',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    v.pipe(
      v.string(),
      v.check((text) => headers(text) !== undefined, 'must be name=value pairs, separated by commas'),
      v.transform((text) => headers(text) ?? []),
    ),
    '[none]',
    'Headers sent to that collector, name=value pairs separated by commas.',
    'secret',
  ),
  OTEL_SERVICE_NAME: setting(v.string(), 'millrace', 'Name of the service in traces.', 'text'),
} as const
