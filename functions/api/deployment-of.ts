import { countingSettings, overruledSettings } from '#lib/app/apply-settings.ts'
import type { Deps } from '#lib/app/compose.ts'
import type { Deployment } from '#lib/api/services.ts'
import { examineService } from '#lib/doctor/examine-service.ts'

/** Endpoints get these functions instead of the settings, so that they cannot read secrets. */
export function deploymentOf({ config, db }: Pick<Deps, 'config' | 'db'>): Deployment {
  const overruled = () => overruledSettings(db, config)
  return {
    examine: () => examineService({ config, db, overruled }),
    settings: async () => {
      const applied = new Map((await countingSettings(db)).map((setting) => [setting.name, setting]))
      return config.shown.map((setting) => {
        const override = applied.get(setting.name)
        return override === undefined
          ? setting
          : { ...setting, value: override.value, source: 'database' as const, appliedBy: override.by }
      })
    },
  }
}
