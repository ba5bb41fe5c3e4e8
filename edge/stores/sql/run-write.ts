// Runs a write by its name, and does what follows from it: it may lock inboxes, and other processes reload what changed.

import type { Notice } from '../../domain/notice.ts'
import type { PurgeStep } from '../../domain/organisation.ts'
import { recordNotices } from './notice.ts'
import type { WriteContext } from './write.ts'
import { type AllWrites, type NamedWrite, WRITES, type WriteName } from './writes.ts'

interface Effect<Write extends (...args: never[]) => unknown> {
  /**
   * It locks users, inboxes, mails or counts of events. Such a write has its own transaction, because a batch locks these once, in the same
   * order on all nodes.
   */
  locks?: true
  /** @returns what other processes (nodes, or the server during a command) reload */
  tells?: (result: Awaited<ReturnType<Write>>, ...args: Parameters<Write>) => Notice[]
}

const environment = (environmentId: number): Notice[] => [{ topic: 'environment-changed', payload: { environmentId } }]
const campaigns = (environmentId: number): Notice[] => [{ topic: 'campaigns-changed', payload: { environmentId } }]
const enrichers = (environmentId: number): Notice[] => [{ topic: 'enrichers-changed', payload: { environmentId } }]
const integrations = (environmentId: number): Notice[] => [
  { topic: 'mail-integrations-changed', payload: { environmentId } },
]
/** Nodes skip the send rules of an environment until it has its first preference or suppression. Null: of all. */
const sendRules = (environmentId: number | null): Notice[] => [
  { topic: 'send-rules-changed', payload: { environmentId } },
]
const ended = (sessionIds: number[]): Notice[] =>
  sessionIds.length === 0 ? [] : [{ topic: 'sessions-ended', payload: { sessionIds } }]
const inboxes = (pushes: PurgeStep['pushes']): Notice[] =>
  pushes.length === 0 ? [] : [{ topic: 'inboxes-changed', payload: { userNos: pushes.map(({ userNo }) => userNo) } }]

/** What follows from each write; null: nothing. A write without its line does not compile. */
const EFFECTS: { [Name in WriteName]: Effect<AllWrites[Name]> | null } = {
  saveInstallation: null,
  saveBackupAt: null,
  createOrganisation: null,
  setRegion: null,
  saveOrganisationSettings: { tells: (isSaved) => (isSaved ? sendRules(null) : []) },
  createEnvironment: { tells: (isMade, { id }) => (isMade ? environment(id) : []) },
  updateEnvironment: { tells: (result, { id }) => (result === 'saved' ? environment(id) : []) },
  removeEnvironment: {
    tells: (result, { id }) => (result === 'removed' ? [...environment(id), ...campaigns(id)] : []),
  },
  eraseEnvironmentStep: { locks: true },
  insertConfigOnce: null,
  saveConfig: { tells: (result) => (result === 'saved' ? sendRules(null) : []) },
  // Nothing names a config that is removed.
  removeConfig: null,
  saveEnricher: { tells: (_, { environmentId }) => enrichers(environmentId) },
  removeEnricher: { tells: (isRemoved, environmentId) => (isRemoved ? enrichers(environmentId) : []) },
  saveTextFile: null,
  removeTextFile: null,
  keepMail: null,
  insertMailIntegrationOnce: {
    tells: (isInserted, { environmentId }) => (isInserted ? integrations(environmentId) : []),
  },
  saveMailIntegration: {
    tells: (result, { environmentId }) => (result === 'saved' ? integrations(environmentId) : []),
  },
  removeMailIntegration: { tells: (isRemoved, environmentId) => (isRemoved ? integrations(environmentId) : []) },
  recordMailHealth: null,
  rememberMailReports: null,
  purgeMailReports: null,
  keepLayout: null,
  insertSource: { tells: (result, { environmentId }) => (result === 'inserted' ? environment(environmentId) : []) },
  saveSource: { tells: (result, { environmentId }) => (result === 'saved' ? environment(environmentId) : []) },
  removeSource: { tells: (isRemoved, environmentId) => (isRemoved ? environment(environmentId) : []) },
  recordSourceDeliveries: null,
  purgeSourceDeliveries: null,
  keepBodies: null,
  trimBodies: null,
  purgeBodies: null,
  beginDeliveryRun: null,
  advanceDeliveryRun: null,
  stopDeliveryRun: null,
  beginAgainJob: null,
  advanceAgainJob: null,
  stopAgainJob: null,
  createSecret: { tells: (_, { environmentId }) => environment(environmentId) },
  retireSecret: null,
  touchSecret: null,
  rotateSecret: { tells: (_, { environmentId }) => environment(environmentId) },
  moveSecretEnd: { tells: (_, { environmentId }) => environment(environmentId) },
  settleSecret: null,
  resealSecret: null,
  saveMasterKeyIds: null,
  claimEndingSecrets: null,
  recordAudit: null,
  addMember: null,
  changeRole: null,
  removeMember: null,
  changePassword: null,
  createDashboardSession: null,
  endDashboardSession: null,
  touchDashboardSession: null,
  purgeDashboardSessions: null,
  createInvitation: null,
  revokeInvitation: null,
  acceptInvitation: null,
  recordInvitationMail: null,
  createReset: null,
  applyReset: null,
  setUp: null,
  createChallenge: null,
  attemptChallenge: null,
  useChallenge: null,
  beginTotp: null,
  confirmTotp: null,
  takeFactorAttempt: null,
  removeTotp: null,
  replaceRecoveryCodes: null,
  resetTotp: null,
  addPasskey: null,
  renamePasskey: null,
  removePasskey: null,
  proveDomain: null,
  recordDomainCheck: null,
  saveSingleSignOn: null,
  removeSingleSignOn: null,
  signInByIdentity: null,
  upsertUser: null,
  beginErasure: { locks: true },
  eraseStep: { locks: true },
  changeTopic: null,
  createSession: null,
  endSession: { tells: (_, _environmentId, id) => ended([id]) },
  endSessionsOfUser: { tells: ended },
  endSessionsOfCredential: { tells: ended },
  purgeSessions: null,
  purgeNotices: null,
  claimJobs: null,
  completeJob: null,
  goOnWithJob: null,
  failJob: null,
  closeDigests: null,
  claimWaits: null,
  releaseWaits: null,
  parkWaits: null,
  makeWaitsDue: null,
  renewJobs: null,
  renewWaits: null,
  renewMails: { locks: true },
  recordCrashes: { locks: true },
  runAgain: { locks: true },
  dropGivenUp: { locks: true },
  claimMails: { locks: true },
  issueMailPermits: { locks: true },
  suspendMailPermits: null,
  releaseResumedMails: { locks: true },
  insertCampaignOnce: { tells: (_, { environmentId }) => campaigns(environmentId) },
  saveCampaign: { tells: (_, { environmentId }) => campaigns(environmentId) },
  correctFunnel: null,
  beginRebuild: null,
  purgeStep: { locks: true, tells: ({ pushes }, { byNotice }) => (byNotice ? inboxes(pushes) : []) },
  setRetentionDays: null,
  addEventNames: { locks: true },
  addDoubts: { locks: true },
  dismissDoubt: null,
  purgeDoubts: null,
  changePreferences: { tells: (result, environmentId) => (result?.first ? sendRules(environmentId) : []) },
  suppress: { tells: ({ first }, { environmentId }) => (first ? sendRules(environmentId) : []) },
  releaseSuppressed: null,
  touchStore: null,
}

/** Returns whether the write needs its own transaction. */
export const locksInboxes = ({ name }: NamedWrite): boolean => EFFECTS[name]?.locks === true

/** Runs a write in the writer's transaction, and records its notices there. `bindWrites` has checked the types. */
export async function runWrite(context: WriteContext, { name, args }: NamedWrite): Promise<unknown> {
  const write = WRITES[name] as (context: WriteContext, ...args: unknown[]) => Promise<unknown>
  const result = await write(context, ...args)
  const tells = EFFECTS[name]?.tells as ((result: unknown, ...args: unknown[]) => Notice[]) | undefined
  if (tells !== undefined) await recordNotices(context, tells(result, ...args))
  return result
}
