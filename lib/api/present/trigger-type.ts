/** What created a run, in the words of newer clients. `unknown`: the run does not exist. */
export const triggerTypes = ['manual', 'scheduler', 'subdag', 'retry', 'unknown'] as const

type TriggerType = (typeof triggerTypes)[number]

const words: Readonly<Record<string, TriggerType>> = {
  api: 'manual',
  sql: 'manual',
  schedule: 'scheduler',
  child: 'subdag',
  retry: 'retry',
}

export const triggerType = (trigger: string): TriggerType => words[trigger] ?? 'unknown'
