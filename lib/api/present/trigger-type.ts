/** What created a run, in the words of newer clients. `unknown`: the run does not exist. */
export const triggerTypes = ['manual', 'scheduler', 'subdag', 'retry', 'unknown'] as const

/** Those of runs that no other run has started. */
export const rootTriggers = ['manual', 'scheduler', 'retry'] as const

type TriggerType = (typeof triggerTypes)[number]

const words: Readonly<Record<string, TriggerType>> = {
  api: 'manual',
  sql: 'manual',
  schedule: 'scheduler',
  child: 'subdag',
  retry: 'retry',
}

export const triggerType = (trigger: string): TriggerType => words[trigger] ?? 'unknown'

/** The words of the table that are shown as one. */
export const triggersOf = (type: TriggerType): string[] =>
  Object.keys(words).filter((word) => words[word] === type)
