// Declares all services that routes call: verbs, ports and what else the wiring gives them. Each function of routes names those it takes.

import type { LinkTokens } from '../../auth/link-token.ts'
import type { Environment, Environments } from '../../domain/environment.ts'
import type { MailProviders } from '../../domain/mail/mail-provider.ts'
import type { Organisations } from '../../domain/organisation.ts'
import type { ChallengeKind } from '../../domain/people/challenge.ts'
import type { Secrets } from '../../domain/secret.ts'
import type { WidgetSession } from '../../domain/session.ts'
import type { Regions } from '../../domain/tenant/region.ts'
import type { ManageAgain } from '../../flow/again/manage-again.ts'
import type { RunAgain } from '../../flow/again/run-again.ts'
import type { CancelRuns } from '../../flow/campaigns/cancel-runs.ts'
import type { ChangeCampaign } from '../../flow/campaigns/change-campaign.ts'
import type { CopyCampaigns } from '../../flow/campaigns/copy-campaigns.ts'
import type { ExplainCampaign } from '../../flow/campaigns/explain/explain-campaign.ts'
import type { FollowEditors } from '../../flow/campaigns/follow-editors.ts'
import type { PublishCampaigns } from '../../flow/campaigns/publish-campaigns.ts'
import type { ReadFunnel } from '../../flow/campaigns/read-funnel.ts'
import type { ReadStats } from '../../flow/campaigns/read-stats.ts'
import type { ReadTextChanges } from '../../flow/campaigns/read-text-changes.ts'
import type { TryCampaign } from '../../flow/campaigns/try-campaign.ts'
import type { BeginRun, StopRun } from '../../flow/connector/begin-run.ts'
import type { ReadKeptDelivery } from '../../flow/connector/read-delivery.ts'
import type { ReceiveDelivery } from '../../flow/connector/receive-delivery.ts'
import type { RunDeliveries } from '../../flow/connector/run-deliveries.ts'
import type { TryMappings } from '../../flow/connector/try-mappings.ts'
import type { TrySignature } from '../../flow/connector/try-signature.ts'
import type { ManageDoubts } from '../../flow/doubts/manage-doubts.ts'
import type { ReadEventNames } from '../../flow/event-names/read-event-names.ts'
import type { ReadEvents } from '../../flow/history/read-events.ts'
import type { ReadHistory } from '../../flow/history/read-history.ts'
import type { ChangeInbox } from '../../flow/inbox/change-inbox.ts'
import type { ManagePreferences } from '../../flow/inbox/manage-preferences.ts'
import type { MarkRead } from '../../flow/inbox/mark-read.ts'
import type { ReadInbox } from '../../flow/inbox/read-inbox.ts'
import type { RecordDelivery } from '../../flow/inbox/record-delivery.ts'
import type { CheckDomains } from '../../flow/mail/check-domains.ts'
import type { FindMailWay } from '../../flow/mail/find-mail-way.ts'
import type { FollowLinks } from '../../flow/mail/follow-links.ts'
import type { PreviewLayout } from '../../flow/mail/preview-layout.ts'
import type { ReadMailbox } from '../../flow/mail/read-mailbox.ts'
import type { ReadSentMail } from '../../flow/mail/read-sent-mail.ts'
import type { ReceiveReports } from '../../flow/mail/receive-reports.ts'
import type { WarnMails } from '../../flow/mail/warn-mails.ts'
import type { AcceptInvitation } from '../../flow/people/accept-invitation.ts'
import type { DeviceTokens } from '../../flow/people/device-tokens.ts'
import type { InviteMembers } from '../../flow/people/invite-members.ts'
import type { LookAtInvitation } from '../../flow/people/look-at-invitation.ts'
import type { ManageFactor } from '../../flow/people/manage-factor.ts'
import type { ManageMembers } from '../../flow/people/manage-members.ts'
import type { ManagePasskeys } from '../../flow/people/manage-passkeys.ts'
import type { ManageSingleSignOn } from '../../flow/people/manage-single-sign-on.ts'
import type { SignInPages } from '../../flow/people/one-time-address.ts'
import type { PersonSessions } from '../../flow/people/person-sessions.ts'
import type { ProveDomains } from '../../flow/people/prove-domains.ts'
import type { ApplyReset } from '../../flow/people/reset-password.ts'
import type { SetUp } from '../../flow/people/set-up.ts'
import type { SignInPasskey } from '../../flow/people/sign-in-passkey.ts'
import type { SignInPerson } from '../../flow/people/sign-in-person.ts'
import type { SignInSingleSignOn } from '../../flow/people/sign-in-single-sign-on.ts'
import type { ManageGivenUp } from '../../flow/resume/manage-given-up.ts'
import type { AddEnvironment } from '../../flow/tenant/add-environment.ts'
import type { ChangeEnvironment } from '../../flow/tenant/change-environment.ts'
import type { ChangeOrganisation } from '../../flow/tenant/change-organisation.ts'
import type { DeleteEnvironment } from '../../flow/tenant/delete-environment.ts'
import type { ManageEnrichers, TryEnricher } from '../../flow/tenant/manage-enrichers.ts'
import type { ManageIntegrations } from '../../flow/tenant/manage-integrations.ts'
import type { ManageSources } from '../../flow/tenant/manage-sources.ts'
import type { ManageConfigs } from '../../flow/tenant/notification-configs.ts'
import type { ReadAuditLog } from '../../flow/tenant/read-audit-log.ts'
import type { ReadOrganisation } from '../../flow/tenant/read-organisation.ts'
import type { RotateSecret } from '../../flow/tenant/rotate-secret.ts'
import type { RotateSourceSecret } from '../../flow/tenant/rotate-source-secret.ts'
import type { ShowSecret } from '../../flow/tenant/show-secret.ts'
import type { TestIntegration } from '../../flow/tenant/test-integration.ts'
import type { ManageTexts } from '../../flow/texts/manage-texts.ts'
import type { AcceptEvents } from '../../flow/track/accept-events.ts'
import type { BeginTrial } from '../../flow/users/begin-trial.ts'
import type { CheckToken } from '../../flow/users/check-token.ts'
import type { CountOnline } from '../../flow/users/count-online.ts'
import type { ExportUser } from '../../flow/users/export-user.ts'
import type { ManageSuppressions } from '../../flow/users/manage-suppressions.ts'
import type { ManageTopics } from '../../flow/users/manage-topics.ts'
import type { ManageUsers } from '../../flow/users/manage-users.ts'
import type { ReadUserInbox } from '../../flow/users/read-user-inbox.ts'
import type { SearchUsers } from '../../flow/users/search-users.ts'
import type { SignInUser } from '../../flow/users/sign-in-user.ts'
import type { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { AttemptLimits } from '../limits/attempt-limits.ts'
import type { LimitInvitations } from '../limits/invitation-limits.ts'
import type { LoadShedding } from '../limits/load-shedding.ts'
import type { RequestContext } from './context.ts'
import type { KeyCaller } from './route-spec.ts'

/** One cookie of the dashboard. */
export interface DashboardCookie {
  /** @returns The token of the request; undefined without one, or with two of that name. */
  read(c: RequestContext): string | undefined
  /** @returns The value of `Set-Cookie` for a new token. */
  write(token: string): string
  /** @returns The value of `Set-Cookie` that removes the cookie. */
  clear(): string
}

export type ChallengeCookies = Record<ChallengeKind, DashboardCookie>

/** What the wiring gives to all routes (`app/wire-http.ts`). */
export interface Services {
  clock: Clock
  /** The address for browsers and platforms; with a path behind a proxy that cuts it. */
  publicUrl(): string
  /** The number of proxies in front of the server (`TRUSTED_PROXIES`). */
  trustedProxies: number

  // Tracking
  acceptEvents: AcceptEvents
  /** @throws ApiError 403 for an unknown key, 401 for a disabled environment (`auth/key-ring.ts`). */
  resolveKey(value: string): Promise<KeyCaller>
  /** Reserves capacity for events in progress. @throws ApiError `service/unavailable`. */
  reserveEvents: LoadShedding['reserveEvents']
  /** Waits until the environment's batch may be planned. */
  waitTurn: LoadShedding['waitTurn']
  /** Called for the metrics with the number of new or repeated events of a request. */
  onAccepted(count: number, outcome: 'new' | 'repeated'): void

  // The widget
  signInUser: SignInUser
  /** Ends a session of the widget. */
  endSession(session: WidgetSession): Promise<void>
  /** @throws ApiError `auth/invalid-session`, unless the token is of a session of the widget. */
  verifySession(token: string | undefined): Promise<WidgetSession>
  /** Returns the origin of the realtime address where only the request's `Host` can tell it; else undefined. */
  originForCaller(host: string | undefined): string | undefined
  isOriginAllowed(allowed: readonly string[], origin: string): boolean
  /** Reads it from the memory of this process, if it is there (`auth/key-ring.ts`). */
  findEnvironment(environmentId: number): Promise<Environment | undefined>
  readInbox: ReadInbox
  changeInbox: ChangeInbox
  recordDelivery: RecordDelivery
  managePreferences: ManagePreferences

  // Links in mails, and calls of other platforms
  /** Reads the signed token of a link in a mail. */
  linkTokens: Pick<LinkTokens, 'read'>
  followLinks: FollowLinks
  receiveReports: ReceiveReports
  receiveDelivery: ReceiveDelivery

  // Campaigns, their texts and statistics
  /** `publishCampaigns` alone publishes, by who may. */
  changeCampaign: Omit<ChangeCampaign, 'publish'>
  publishCampaigns: PublishCampaigns
  tryCampaign: TryCampaign
  explainCampaign: ExplainCampaign
  copyCampaigns: CopyCampaigns
  cancelRuns: CancelRuns
  readFunnel: ReadFunnel
  readStats: ReadStats
  countOnline: CountOnline
  followEditors: FollowEditors
  manageTexts: ManageTexts
  readTextChanges: ReadTextChanges
  manageEnrichers: ManageEnrichers
  tryEnricher: TryEnricher
  manageDoubts: ManageDoubts
  readEventNames: ReadEventNames

  // Events, deliveries and users
  readEvents: ReadEvents
  readHistory: ReadHistory
  runAgain: RunAgain
  manageAgain: ManageAgain
  searchUsers: SearchUsers
  manageUsers: ManageUsers
  markRead: MarkRead
  readUserInbox: ReadUserInbox
  exportUser: ExportUser
  manageTopics: ManageTopics
  manageSuppressions: ManageSuppressions

  // Mail
  mailProviders: MailProviders
  manageIntegrations: ManageIntegrations
  testIntegration: TestIntegration
  findMailWay: FindMailWay
  checkDomains: CheckDomains
  warnMails: WarnMails
  readSentMail: ReadSentMail
  readMailbox: ReadMailbox
  previewLayout: PreviewLayout
  /** Layouts to begin with, by their format. */
  startingLayouts(): { html: string; mjml: string }

  // Sources of platforms
  manageSources: ManageSources
  rotateSourceSecret: RotateSourceSecret
  tryMappings: TryMappings
  trySignature: TrySignature
  runDeliveries: RunDeliveries
  readDelivery: ReadKeptDelivery
  beginRun: BeginRun
  stopRun: StopRun

  // Organisations and environments
  organisations: Pick<Organisations, 'find'>
  readOrganisation: ReadOrganisation
  changeOrganisation: ChangeOrganisation
  regions: Regions
  environments: Pick<Environments, 'find' | 'list' | 'listLastEvents'>
  addEnvironment: AddEnvironment
  changeEnvironment: ChangeEnvironment
  deleteEnvironment: DeleteEnvironment
  manageConfigs: ManageConfigs
  manageGivenUp: Pick<ManageGivenUp, 'list' | 'runAgain' | 'drop'>
  readAuditLog: ReadAuditLog
  checkToken: CheckToken
  beginTrial: BeginTrial
  secrets: Pick<Secrets, 'list'>
  rotateSecret: RotateSecret
  showSecret: ShowSecret
  /** Ends the sessions of retired values. */
  settleRetired(): Promise<number>

  // People and their sign-in
  signInPerson: SignInPerson
  personSessions: PersonSessions
  sessionCookie: DashboardCookie
  deviceCookie: DashboardCookie
  challengeCookies: ChallengeCookies
  deviceTokens: DeviceTokens
  attempts: AttemptLimits
  setUp: SetUp
  /** Whether the call comes from this machine, and so needs no code for the first set-up. */
  isLocalCall(c: RequestContext): boolean
  manageFactor: ManageFactor
  signInPasskey: SignInPasskey
  managePasskeys: ManagePasskeys
  signInSingleSignOn: SignInSingleSignOn
  signInPages: SignInPages
  manageSingleSignOn: ManageSingleSignOn
  proveDomains: Pick<ProveDomains, 'prove' | 'trust'>
  /** Called with each sign-in that ended with an error, whose cause only the log has. */
  onSignOnFailed(error: ApiError, correlationId: string): void
  applyReset: ApplyReset
  /** Begins a reset without keeping the caller waiting, so that the time tells nothing about the account. */
  requestReset(email: string, correlationId: string): void
  /** Whether the server sends mails to people. */
  sendsMail: boolean
  manageMembers: ManageMembers
  inviteMembers: InviteMembers
  limitInvitations: LimitInvitations
  acceptInvitation: AcceptInvitation
  lookAtInvitation: LookAtInvitation
  /** Shows the link of an invitation where an operator may see it. @returns Whether it was shown. */
  showLink(link: string, correlationId: string): boolean
}

/** What the routes of sources call. */
export type SourceServices = Pick<
  Services,
  | 'manageSources'
  | 'rotateSourceSecret'
  | 'tryMappings'
  | 'trySignature'
  | 'runDeliveries'
  | 'readDelivery'
  | 'beginRun'
  | 'stopRun'
>
