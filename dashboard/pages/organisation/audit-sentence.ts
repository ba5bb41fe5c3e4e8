// Says an entry of the audit log as a sentence, and names the page of what was changed.

import type { AuditAnswer } from '../../../contract/resources/audit.ts'
import type { PageName } from '../../routing/routes.ts'
import { actionName } from './audit-filters.ts'

/** The words between who made the change and its subject, by action. */
const WORDS: Readonly<Record<string, string>> = {
  'campaign.ask-publish': 'asked to publish the campaign',
  'campaign.decline-publish': 'declined to publish the campaign',
  'campaign.void-publish': 'ended, as its texts have changed, the request to publish the campaign',
  'campaign.withdraw-publish': 'withdrew the request to publish the campaign',
  'member.add': 'added the member',
  'member.invite': 'invited',
  'member.revoke-invitation': 'revoked the invitation',
  'member.accept-invitation': 'accepted the invitation of',
  'member.change-role': 'changed the role of',
  'member.link-single-sign-on': 'linked the single sign-on of',
  'member.join-single-sign-on': 'joined by single sign-on as',
  'org.set-region': 'set the region of',
  'org.complete-onboarding': 'completed the onboarding of',
  'org.set-single-sign-on': 'set the single sign-on of',
  'org.remove-single-sign-on': 'removed the single sign-on of',
  'org.prove-domain': 'proved a domain of',
  'org.find-domain-record': 'found the domain record of',
  'org.miss-domain-record': 'missed the domain record of',
  'org.lose-domain': 'ended the proof of a domain of',
  'env.set-public-key': 'set the public key of',
  'env.set-identity-provider': 'set the identity provider of',
  'env.set-origins': 'set the allowed origins of',
  'env.set-limits': 'set the rate limits of',
  'retention.set': 'set the retention of',
  'secret.show': 'looked at the secret',
  'secret.emergency': 'replaced at once the secret',
  'secret.retire': 'ended the old value of the secret',
  'message.again': 'sent again the message',
  'event.again': 'ran again the event',
  'run.again': 'ran again the run',
  'again.begin': 'began to send again, by the job',
  'again.stop': 'stopped the job that sends again,',
  'source.run-delivery': 'ran again a delivery of the source',
  'source.stop-run': 'stopped the run of deliveries of the source',
  'source.run': 'ran again deliveries of the source',
  'source.try': 'tried the signature of the source',
}

/** Verbs that are not formed by `-ed`. */
const PAST: Readonly<Record<string, string>> = { put: 'saved', run: 'ran', drop: 'dropped', again: 'repeated' }

const NOUN_WORDS: Readonly<Record<string, string>> = {
  campaign: 'the campaign',
  config: 'the notification config',
  'email-integration': 'the e-mail integration',
  enricher: 'the enricher',
  env: 'the environment',
  member: 'the member',
  org: 'the organisation',
  secret: 'the secret',
  settings: 'the settings of',
  snippet: 'the snippet',
  source: 'the source',
  suppression: 'the suppression of',
  topic: 'the topic',
  translation: 'the translation',
  user: 'the user',
}

/** Pages of what entries are about; those with a subject in the address take it from the entry. */
const PAGES: Readonly<Record<string, PageName>> = {
  campaign: 'campaign',
  config: 'config',
  'email-integration': 'integration',
  enricher: 'enricher',
  env: 'environment',
  member: 'members',
  org: 'settings',
  retention: 'settings',
  secret: 'secrets',
  settings: 'settings',
  snippet: 'snippet',
  source: 'source',
  suppression: 'suppressions',
  translation: 'translation',
  user: 'user',
}
const WITHOUT_ID: readonly PageName[] = ['members', 'settings', 'suppressions']
const BY_ENVIRONMENT: readonly PageName[] = ['environment', 'secrets']
/** Verbs after which the page is gone. */
const ENDS: readonly string[] = ['delete', 'erase']

const pastOf = (verb: string): string => PAST[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`)

/** @returns What was done, such as "changed the campaign"; its subject follows. Unknown actions have their name. */
export function doneOf(action: string, detail: AuditAnswer['detail'] = {}): string {
  if (action === 'campaign.publish' && detail.askedBy !== undefined) return 'approved and published the campaign'
  if (action === 'campaign.publish' && detail.withoutApproval === true)
    return 'published without the approval that is asked for, the campaign'
  const [noun = '', verb = ''] = action.split('.')
  const words = NOUN_WORDS[noun]
  if (WORDS[action] !== undefined) return WORDS[action]
  // A verb of several words does not form its past by its end.
  if (words === undefined || !/^[a-z]+$/.test(verb)) return `${actionName(action)},`
  return `${pastOf(verb)} ${words}`
}

/** @returns The name of what was changed, as it is now or as the entry has it; else its subject. */
export function subjectOf(
  { subject, subjectName, detail }: Pick<AuditAnswer, 'subject' | 'subjectName' | 'detail'>,
  org: { id: string; name: string },
): string {
  if (subject === org.id) return org.name
  const named = typeof detail.name === 'string' && detail.name !== '' ? detail.name : subject
  return subjectName ?? named
}

/** @returns The page of what was changed; undefined when it is gone, or has none. */
export function pageOf({
  action,
  subject,
  environment,
  detail,
}: Pick<AuditAnswer, 'action' | 'subject' | 'environment' | 'detail'>): { page: PageName; id: string } | undefined {
  const [noun = '', verb = ''] = action.split('.')
  const page = PAGES[noun]
  if (page === undefined || ENDS.includes(verb)) return undefined
  if (WITHOUT_ID.includes(page)) return { page, id: '' }
  if (BY_ENVIRONMENT.includes(page)) return environment === null ? undefined : { page, id: environment }
  if (page === 'campaign') return { page, id: String(detail.campaignId ?? '') || subject }
  return { page, id: subject }
}
