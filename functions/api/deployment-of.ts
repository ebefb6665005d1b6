import { countingSettings, overruledSettings } from '#lib/app/apply-settings.ts'
import type { Parts } from '#lib/app/compose.ts'
import type { Deployment } from '#lib/api/services.ts'
import { examineService } from '#lib/doctor/examine-service.ts'

/** The settings stay behind these functions: endpoints cannot see what is secret. */
export function deploymentOf({ config, db }: Pick<Parts, 'config' | 'db'>): Deployment {
  const overruled = () => overruledSettings(db, config)
  return {
    examine: () => examineService({ config, db, overruled }),
    settings: async () => {
      const counting = new Map((await countingSettings(db)).map((setting) => [setting.name, setting]))
      return config.shown.map((setting) => {
        const counts = counting.get(setting.name)
        return counts === undefined
          ? setting
          : { ...setting, value: counts.value, source: 'database' as const, appliedBy: counts.by }
      })
    },
  }
}
