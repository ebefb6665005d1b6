import type * as v from 'valibot'
import { accessSettings } from './access.ts'
import { commandLineSettings } from './command-line.ts'
import { databaseSettings } from './database.ts'
import { logStoreSettings } from './logs.ts'
import { runnerSettings } from './runner.ts'
import { serviceSettings } from './service.ts'
import type { Setting } from './setting.ts'
import { telemetrySettings } from './telemetry.ts'

/** The settings by subject, in the order of the documentation. */
export const settingGroups: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  Service: serviceSettings,
  Access: accessSettings,
  Database: databaseSettings,
  'Runners and steps': runnerSettings,
  'Logs of steps': logStoreSettings,
  'Service log and traces': telemetrySettings,
  'Command line': commandLineSettings,
}

/** Every setting of the service, in the same order. */
export const settings = {
  ...serviceSettings,
  ...accessSettings,
  ...databaseSettings,
  ...runnerSettings,
  ...logStoreSettings,
  ...telemetrySettings,
  ...commandLineSettings,
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

export type SettingValues = {
  readonly [Name in SettingName]: v.InferOutput<(typeof settings)[Name]['schema']> | undefined
}

/** Settings whose values must never be shown, nor passed to steps. */
export const secretSettings: readonly string[] = Object.entries(settings)
  .filter(([, { privacy }]) => privacy === 'secret')
  .map(([name]) => name)

/** The secret settings of an environment that have a value. */
export function secretsIn(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    secretSettings.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
}
