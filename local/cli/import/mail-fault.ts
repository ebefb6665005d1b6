import { Refusal, type Service } from '../service.ts'
import type { Candidate } from './candidate.ts'

/** A message about DAGs whose mails cannot be sent because neither they nor the service have `smtp`; else undefined. */
export async function mailFaultOf(
  service: Service,
  candidates: readonly Candidate[],
  isCrontab: boolean,
): Promise<string | undefined> {
  const mailing = candidates.filter(({ spec = '' }) => /^(errorMail|mailOn):/m.test(spec))
  const mute: string[] = []
  // The entries of a crontab have the same mail settings.
  for (const { name, spec = '' } of isCrontab ? mailing.slice(0, 1) : mailing)
    if (await lacksServer(service, { name, spec })) mute.push(name)
  if (mute.length === 0) return undefined
  const where = 'which belongs in the file of MILLRACE_BASE_CONFIG'
  return isCrontab
    ? `nothing is mailed: the service has no smtp, ${where}`
    : `nothing is mailed by ${mute.join(', ')}: neither the DAG nor the service has smtp, ${where}`
}

async function lacksServer(
  service: Service,
  body: { readonly name: string; readonly spec: string },
): Promise<boolean> {
  try {
    const { plan } = await service.ask('validateDag', { query: { plan: 'true' }, body })
    return (plan?.warnings ?? []).some((warning) => warning.includes('smtp'))
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
