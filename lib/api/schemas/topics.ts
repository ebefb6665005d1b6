import * as v from 'valibot'
import { topics, type Topic } from '../live/list-topics.ts'

const rule = `must be a list of ${topics.join(', ')}`

/** What a stream is about, separated by commas. */
export const Topics = v.pipe(
  v.string(),
  v.check((text) => text.split(',').every(isTopic), rule),
  v.transform((text) => [...new Set(text.split(',').filter(isTopic))]),
  v.array(v.picklist(topics)),
  v.description(
    `${topics.join(', ')}, separated by commas. A filter applies to each list with a parameter of that name`,
  ),
)

function isTopic(word: string): word is Topic {
  return (topics as readonly string[]).includes(word)
}
