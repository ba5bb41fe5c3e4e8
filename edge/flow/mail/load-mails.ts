// Loads what claimed mails need to be sent, with a few queries for many: the message, the rules of its user, its look.

import type { EmailSandbox } from '../../../contract/resources/environment.ts'
import { compileCampaign } from '../../campaign/compile.ts'
import type { CompiledCampaign, CompiledStep } from '../../campaign/compiled.ts'
import { findDelay, SEND_ALL } from '../../campaign/send-policy.ts'
import { findStep } from '../../campaign/walk.ts'
import type { CampaignHead, StoredDefinition } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { StepFile } from '../../domain/mail/attachment.ts'
import type { ClaimedMail, MailToSend } from '../../domain/mail/mail.ts'
import type { MailFrame } from '../../domain/mail/mail-frame.ts'
import { NO_LINK_RULES } from '../../domain/tenant/link-rules.ts'
import { EMPTY_PROFILE, NO_DEFAULTS, type UserProfile, withDefaults } from '../../domain/user.ts'
import { countVersions, type PinnedVersions } from '../resume/pinned-versions.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'
import type { SendPolicies } from '../track/send-policies.ts'

type Taken = Pick<Core, 'mails' | 'waits' | 'campaigns' | 'events' | 'users' | 'inboxes'> & {
  pinned: PinnedVersions
  sendPolicies: Pick<SendPolicies, 'findMany' | 'findForTest'>
  live: Pick<LiveCampaigns, 'load'>
}

/** A mail with all that decides whether and how it is sent. */
export interface LoadedMail extends MailFrame {
  claim: ClaimedMail
  mail: MailToSend
  campaign: CampaignHead
  maxLatenessMs: number
  /** Why it must not be sent now, by the rules of its step and user. */
  findReasonToKeep(at: number): { statusReason: string; because: string } | undefined
  /** The notification config of the look, as its id on the wire; null for the standard look. */
  configId: string | null
  /** When the quiet hours of its user end (epoch ms), if it must wait for that; else undefined. */
  findDelay(at: number): number | undefined
  locale: string | null
  isCritical: boolean
  isProduction: boolean
  sandbox: EmailSandbox
  /** The step's attachments by place. */
  files: readonly StepFile[]
}

const NO_FRAME: MailFrame = { look: undefined, links: NO_LINK_RULES }

/**
 * @returns `loaded`: the mails that are still there, in the order of the claims; the others were removed with their user or campaign.
 * `later`: their versions would be too much at once
 */
export async function loadMails(
  deps: Taken,
  claims: ClaimedMail[],
): Promise<{ loaded: LoadedMail[]; later: ClaimedMail[] }> {
  const mails = await deps.mails.load(claims)
  const found = claims.flatMap((claim) => {
    const mail = mails.get(claim.messageId)
    return mail === undefined ? [] : [{ claim, mail }]
  })
  const contexts = await deps.waits.findContexts(found.map(({ mail }) => mail))
  const parts: Part[] = []
  const later: ClaimedMail[] = []
  const versions = countVersions()
  for (const { claim, mail } of found) {
    if (versions.areMany()) {
      later.push(claim)
      continue
    }
    const campaign = contexts.get(mail.campaignId)?.campaign
    const compiled = campaign && (await findDefinition(deps, campaign, mail))
    const step = compiled && findStep(compiled.steps, mail.stepId)
    if (campaign === undefined || compiled === undefined || step === undefined) continue
    versions.add(mail.campaignId, mail.isTest ? mail.messageId : mail.version, compiled.chars)
    const { definition, maxLatenessMs } = compiled
    parts.push({ claim, mail, campaign, step, maxLatenessMs, configId: definition.notificationConfigId })
  }
  return { loaded: await addRules(deps, parts), later }
}

/** A test is of the definition that it was given, or of the draft in the version that publishing would have created. */
async function findDefinition(
  { pinned, campaigns, events }: Taken,
  head: CampaignHead,
  { environmentId, campaignId, eventId, version, isTest }: MailToSend,
): Promise<CompiledCampaign | undefined> {
  if (!isTest) return pinned.find(head, version)
  const { definition } = ((await events.find(environmentId, eventId))?.raw ?? {}) as { definition?: StoredDefinition }
  const compiled = definition === undefined ? await pinned.find(head, version) : undefined
  if (compiled !== undefined) return compiled
  const campaign = await campaigns.find(environmentId, campaignId)
  return campaign && compileCampaign({ campaign, version, definition: definition ?? campaign.draft })
}

interface Part {
  claim: ClaimedMail
  mail: MailToSend
  campaign: CampaignHead
  step: CompiledStep
  maxLatenessMs: number
  configId: string | null
}

async function addRules(deps: Taken, parts: Part[]): Promise<LoadedMail[]> {
  const ids = [...new Set(parts.map(({ mail }) => mail.environmentId))]
  const sets = new Map(await Promise.all(ids.map(async (id) => [id, await deps.live.load(id)] as const)))
  const profiles = await readProfiles(deps, parts)
  const seenReaders = parts.filter(({ step }) => step.needsSeenSteps === true).map(({ mail }) => mail.runId)
  const seen = seenReaders.length === 0 ? undefined : await deps.inboxes.findSeenSteps(seenReaders)
  const questions = parts.map(({ mail }) => {
    const { environmentId, userId } = mail
    const profile = profiles.get(`${environmentId}:${userId}`) ?? EMPTY_PROFILE
    return { environmentId, userId, profile: withDefaults(profile, sets.get(environmentId)?.defaults ?? NO_DEFAULTS) }
  })
  const policies = await deps.sendPolicies.findMany(
    questions.map((question, place) => {
      const address = parts[place]?.mail.content.email.to?.address ?? null
      // A suppression of the address to which the mail goes counts, also when the profile has another one now.
      return { ...question, profile: { ...question.profile, email: address } }
    }),
  )
  return Promise.all(
    parts.map(async ({ claim, mail, campaign, step, maxLatenessMs, configId }, place): Promise<LoadedMail> => {
      const { environmentId, userId, content } = mail
      const set = sets.get(environmentId)
      const address = content.email.to?.address ?? null
      const { profile } = questions[place] ?? { profile: EMPTY_PROFILE }
      const policy = mail.isTest
        ? await deps.sendPolicies.findForTest(environmentId, userId, { ...profile, email: address })
        : (policies[place] ?? SEND_ALL)
      const recipient = { address, policy, seenSteps: seen?.get(mail.runId) }
      return {
        claim,
        mail,
        campaign,
        maxLatenessMs,
        findReasonToKeep: (at) => step.findReasonToKeep?.(recipient, at),
        findDelay: (at) => findDelay(policy, { channel: 'email', category: mail.category, at }),
        ...(set?.mailFrameOf(configId) ?? NO_FRAME),
        configId: configId ?? set?.ownConfigId ?? null,
        locale: profile.locale,
        isProduction: set?.isProduction === true,
        sandbox: set?.sandbox ?? { mode: 'off', addresses: [] },
        files: step.files ?? [],
        isCritical: mail.category !== null && set?.categories.get(mail.category)?.critical === true,
      }
    }),
  )
}

/** One query for each environment. */
async function readProfiles({ users }: Taken, parts: Part[]): Promise<Map<string, UserProfile>> {
  const wanted = new Map<number, Set<string>>()
  for (const { mail } of parts) {
    const ids = wanted.get(mail.environmentId) ?? new Set()
    wanted.set(mail.environmentId, ids.add(mail.userId))
  }
  const profiles = new Map<string, UserProfile>()
  for (const [environmentId, userIds] of wanted) {
    for (const [userId, profile] of await users.findManyBare(environmentId, [...userIds])) {
      profiles.set(`${environmentId}:${userId}`, profile)
    }
  }
  return profiles
}
