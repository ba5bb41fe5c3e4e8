// Calls below one environment: deliveries, events, runs, campaigns, statistics, users, suppressions, enrichers,
// shared texts and e-mail.

import type { FunnelAnswer, InboxPage, InboxPreferences, Page } from '../../contract/api.ts'
import type { Channel } from '../../contract/delivery.ts'
import type {
  CampaignAnswer,
  CampaignCountsAnswer,
  CampaignVersionAnswer,
  SavedCampaignAnswer,
} from '../../contract/resources/campaign.ts'
import type { CampaignEditorsAnswer } from '../../contract/resources/campaign-editors.ts'
import type { ExplainRequest, ExplanationAnswer } from '../../contract/resources/campaign-explanation.ts'
import type {
  CampaignTestAnswer,
  DryRunAnswer,
  DryRunRequest,
  PreviewAnswer,
  PreviewRequest,
  TestRequest,
  TextChangesAnswer,
} from '../../contract/resources/campaign-trial.ts'
import type { DeliveryDetailAnswer, DeliveryRecordAnswer } from '../../contract/resources/delivery.ts'
import type { DoubtAnswer } from '../../contract/resources/doubt.ts'
import type { DomainFinding } from '../../contract/resources/email-domain.ts'
import type {
  ChangedEmailIntegrationAnswer,
  EmailIntegrationAnswer,
  EmailIntegrationInput,
  EmailIntegrationTestAnswer,
  EmailProviderAnswer,
} from '../../contract/resources/email-integration.ts'
import type { EnricherAnswer, EnricherSettings, EnricherTrialAnswer } from '../../contract/resources/enricher.ts'
import type { EventNameAnswer, EventPropertiesAnswer } from '../../contract/resources/event-name.ts'
import type { FlowStatsAnswer, FlowWindow } from '../../contract/resources/flow-stats.ts'
import type { GivenUpAnswer, GivenUpChangeAnswer } from '../../contract/resources/given-up.ts'
import type { SentMailAnswer } from '../../contract/resources/mail.ts'
import type { RunAnswer } from '../../contract/resources/run.ts'
import type {
  CampaignDaysPage,
  EnvironmentSeriesAnswer,
  EnvironmentStatsAnswer,
  FunnelSeriesAnswer,
  OnlineAnswer,
  StatsQuery,
} from '../../contract/resources/stats.ts'
import type { Suppressed, SuppressionAnswer } from '../../contract/resources/suppression.ts'
import type { Snippet, SnippetSummary, Translation, TranslationSummary } from '../../contract/resources/text.ts'
import type { SubscriberPageAnswer, TopicAnswer } from '../../contract/resources/topic.ts'
import type { TrackedEventAnswer } from '../../contract/resources/tracked-event.ts'
import type { UserAnswer } from '../../contract/resources/user.ts'
import type { MailWay } from '../../contract/tenant.ts'
import { deliveriesAddress, type Query } from './addresses.ts'
import { againOf } from './again.ts'
import type { ApiClient } from './client.ts'
import { readAll } from './read-all.ts'

/** Publishing has a call of its own. */
export type CampaignAction = 'pause' | 'resume' | 'archive'

export type EnvironmentApi = ReturnType<typeof createEnvironmentApi>

export function createEnvironmentApi(client: ApiClient, environmentId: string) {
  const base = `/v1/dashboard/environments/${encodeURIComponent(environmentId)}`
  const at = (...parts: string[]) => `${base}/${parts.map(encodeURIComponent).join('/')}`
  return {
    ...statisticsOf(client, at),
    ...textsOf(client, at),
    ...againOf(client, at),
    ...usersOf(client, at),
    ...trialsOf(client, at),
    ...publishOf(client, at),
    deliveries: (query: Query, signal?: AbortSignal) =>
      client.get<Page<DeliveryRecordAnswer>>(deliveriesAddress(environmentId), query, signal),
    delivery: (id: string, signal?: AbortSignal) => client.get<DeliveryDetailAnswer>(at('deliveries', id), {}, signal),
    sentMail: (id: string, signal?: AbortSignal) =>
      client.get<SentMailAnswer>(at('deliveries', id, 'mail'), {}, signal),
    exportDeliveries: (query: Query, signal: AbortSignal) => client.open(at('deliveries', 'export.csv'), query, signal),
    run: (id: string, signal?: AbortSignal) => client.get<RunAnswer>(at('runs', id), {}, signal),
    events: (query: Query, signal?: AbortSignal) => client.get<Page<TrackedEventAnswer>>(at('events'), query, signal),
    event: (id: string, signal?: AbortSignal) => client.get<TrackedEventAnswer>(at('events', id), {}, signal),
    campaigns: (query: Query = {}, signal?: AbortSignal) =>
      client.get<Page<CampaignAnswer>>(at('campaigns'), { limit: 100, ...query }, signal),
    campaignCounts: (query: Query, signal?: AbortSignal) =>
      client.get<CampaignCountsAnswer>(at('campaigns', 'counts'), query, signal),
    createCampaign: (definition: object) => client.send<CampaignAnswer>('POST', at('campaigns'), definition),
    campaign: (id: string, signal?: AbortSignal) => client.get<CampaignAnswer>(at('campaigns', id), {}, signal),
    versions: (id: string, query: Query, signal?: AbortSignal) =>
      client.get<Page<CampaignVersionAnswer>>(at('campaigns', id, 'versions'), query, signal),
    version: (id: string, version: number, signal?: AbortSignal) =>
      client.get<CampaignVersionAnswer>(at('campaigns', id, 'versions', String(version)), {}, signal),
    putCampaign: (id: string, draft: object, revision: number) =>
      client.sendAt<SavedCampaignAnswer>(revision, 'PUT', at('campaigns', id), draft),
    campaignEditors: (id: string) => client.send<CampaignEditorsAnswer>('POST', at('campaigns', id, 'editors')),
    changeCampaign: (id: string, action: CampaignAction, revision: number, query: Query = {}) =>
      client.sendAt<CampaignAnswer>(revision, 'POST', at('campaigns', id, action), undefined, query),
    eventNames: (query: Query, signal?: AbortSignal) =>
      client.get<Page<EventNameAnswer>>(at('event-names'), query, signal),
    eventProperties: (name: string, signal?: AbortSignal) =>
      client.get<EventPropertiesAnswer>(at('event-names', name, 'properties'), {}, signal),
    users: (query: Query, signal?: AbortSignal) => client.get<Page<UserAnswer>>(at('users'), query, signal),
    userInbox: (id: string, query: Query, signal?: AbortSignal) =>
      client.get<InboxPage>(at('users', id, 'inbox'), query, signal),
    userPreferences: (id: string, signal?: AbortSignal) =>
      client.get<InboxPreferences>(at('users', id, 'preferences'), {}, signal),
    exportUser: (id: string, signal: AbortSignal) => client.open(at('users', id, 'export'), {}, signal),
    doubts: (query: Query, signal?: AbortSignal) => client.get<Page<DoubtAnswer>>(at('doubts'), query, signal),
    dismissDoubt: (id: string) => client.send<{ deleted: true }>('DELETE', at('doubts', id)),
    givenUp: (signal?: AbortSignal) => client.get<Page<GivenUpAnswer>>(at('given-up'), {}, signal),
    runGivenUp: (id: string) => client.send<GivenUpChangeAnswer>('POST', at('given-up', id, 'run')),
    dropGivenUp: (id: string) => client.send<GivenUpChangeAnswer>('POST', at('given-up', id, 'drop')),
    suppressions: (subject: Suppressed, signal?: AbortSignal) =>
      client.get<Page<SuppressionAnswer>>(at('suppressions'), { ...subject }, signal),
    suppress: (subject: Suppressed & { channel: Channel; reason: string }) =>
      client.send<{ added: boolean }>('POST', at('suppressions'), subject),
    releaseSuppressed: (subject: Suppressed & { channel: Channel }) =>
      client.send<{ deleted: boolean }>('DELETE', at('suppressions'), undefined, { ...subject }),
    enrichers: (query: Query, signal?: AbortSignal) => client.get<Page<EnricherAnswer>>(at('enrichers'), query, signal),
    enricher: (name: string, signal?: AbortSignal) => client.get<EnricherAnswer>(at('enrichers', name), {}, signal),
    putEnricher: (name: string, settings: EnricherSettings) =>
      client.send<EnricherAnswer>('PUT', at('enrichers', name), settings),
    removeEnricher: (name: string) => client.send('DELETE', at('enrichers', name)),
    emailProviders: (signal?: AbortSignal) =>
      client.get<Page<EmailProviderAnswer>>(at('email', 'providers'), {}, signal),
    emailDomains: (signal?: AbortSignal) => client.get<Page<DomainFinding>>(at('email', 'domains'), {}, signal),
    integrations: (signal?: AbortSignal) =>
      readAll<Page<EmailIntegrationAnswer> & { way: MailWay }>(client, at('email', 'integrations'), {}, signal),
    integration: (id: string, signal?: AbortSignal) =>
      client.get<EmailIntegrationAnswer>(at('email', 'integrations', id), {}, signal),
    addIntegration: (settings: EmailIntegrationInput) =>
      client.send<ChangedEmailIntegrationAnswer>('POST', at('email', 'integrations'), settings),
    putIntegration: (id: string, settings: EmailIntegrationInput) =>
      client.send<ChangedEmailIntegrationAnswer>('PUT', at('email', 'integrations', id), settings),
    removeIntegration: (id: string) => client.send('DELETE', at('email', 'integrations', id)),
    testIntegration: (id: string, body: { to: string }) =>
      client.send<EmailIntegrationTestAnswer>('POST', at('email', 'integrations', id, 'test'), body),
    testEnricher: (name: string, trial: { params: object; user?: object; event?: object }) =>
      client.send<EnricherTrialAnswer>('POST', at('enrichers', name, 'test'), trial),
    user: (id: string, signal?: AbortSignal) => client.get<UserAnswer>(at('users', id), {}, signal),
    signOutUser: (id: string) => client.send<{ ended: number }>('POST', at('users', id, 'sign-out')),
    eraseUser: (id: string) => client.send('DELETE', at('users', id)),
  }
}

function publishOf(client: ApiClient, at: (...parts: string[]) => string) {
  return {
    publishCampaign: (id: string, revision: number, note: string) =>
      client.sendAt<SavedCampaignAnswer>(revision, 'POST', at('campaigns', id, 'publish'), { note }),
    approvePublish: (id: string, revision: number) =>
      client.send<SavedCampaignAnswer>('POST', at('campaigns', id, 'publish', 'approve'), { revision }),
    declinePublish: (id: string, revision: number, reason: string) =>
      client.send<CampaignAnswer>('POST', at('campaigns', id, 'publish', 'decline'), { revision, reason }),
    withdrawPublish: (id: string, revision: number) =>
      client.send<CampaignAnswer>('POST', at('campaigns', id, 'publish', 'withdraw'), { revision }),
  }
}

function usersOf(client: ApiClient, at: (...parts: string[]) => string) {
  return {
    putUser: (id: string, change: object) => client.send<UserAnswer>('PUT', at('users', id), change),
    userTopics: (id: string, signal?: AbortSignal) =>
      readAll<Page<string>>(client, at('users', id, 'topics'), {}, signal),
    topics: (query: Query, signal?: AbortSignal) => client.get<Page<TopicAnswer>>(at('topics'), query, signal),
    subscribers: (key: string, query: Query, signal?: AbortSignal) =>
      client.get<SubscriberPageAnswer>(at('topics', key, 'subscribers'), query, signal),
    changeSubscribers: (key: string, change: { add?: string[]; remove?: string[] }) =>
      client.send<{ key: string }>('PUT', at('topics', key, 'subscribers'), change),
  }
}

function textsOf(client: ApiClient, at: (...parts: string[]) => string) {
  return {
    translations: (query: Query, signal?: AbortSignal) =>
      client.get<Page<TranslationSummary>>(at('translations'), query, signal),
    translation: (locale: string, signal?: AbortSignal) =>
      client.get<Translation>(at('translations', locale), {}, signal),
    putTranslation: (locale: string, messages: object) =>
      client.send<Translation>('PUT', at('translations', locale), messages),
    removeTranslation: (locale: string) => client.send('DELETE', at('translations', locale)),
    snippets: (query: Query, signal?: AbortSignal) => client.get<Page<SnippetSummary>>(at('snippets'), query, signal),
    snippet: (name: string, signal?: AbortSignal) => client.get<Snippet>(at('snippets', name), {}, signal),
    putSnippet: (name: string, source: string) => client.send<Snippet>('PUT', at('snippets', name), { source }),
    removeSnippet: (name: string) => client.send('DELETE', at('snippets', name)),
  }
}

function statisticsOf(client: ApiClient, at: (...parts: string[]) => string) {
  return {
    funnel: (id: string, query: StatsQuery, signal?: AbortSignal) =>
      client.get<FunnelAnswer>(at('campaigns', id, 'stats'), query, signal),
    flowStats: (id: string, query: { window: FlowWindow; version: number }, signal?: AbortSignal) =>
      client.get<FlowStatsAnswer>(at('campaigns', id, 'stats', 'flow'), query, signal),
    campaignSeries: (id: string, query: StatsQuery, signal?: AbortSignal) =>
      client.get<FunnelSeriesAnswer>(at('campaigns', id, 'stats', 'series'), query, signal),
    stats: (query: StatsQuery & { campaignId?: string }, signal?: AbortSignal) =>
      client.get<EnvironmentStatsAnswer>(at('stats'), query, signal),
    series: (query: StatsQuery, signal?: AbortSignal) =>
      client.get<EnvironmentSeriesAnswer>(at('stats', 'series'), query, signal),
    online: (signal?: AbortSignal) => client.get<OnlineAnswer>(at('stats', 'online'), {}, signal),
    campaignDays: (channel: Channel, signal?: AbortSignal) =>
      readAll<CampaignDaysPage>(client, at('stats', 'campaigns'), { channel }, signal),
  }
}

/** Calls that try a draft; with doubts, where they store nothing. */
function trialsOf(client: ApiClient, at: (...parts: string[]) => string) {
  return {
    previewCampaign: (id: string, body: PreviewRequest, signal?: AbortSignal) =>
      client.send<PreviewAnswer>('POST', at('campaigns', id, 'preview'), body, { doubts: 'true' }, signal),
    explainCampaign: (id: string, body: ExplainRequest, signal?: AbortSignal) =>
      client.send<ExplanationAnswer>('POST', at('campaigns', id, 'explain'), body, {}, signal),
    textChanges: (id: string, definition: object, signal?: AbortSignal) =>
      client.send<TextChangesAnswer>('POST', at('campaigns', id, 'text-changes'), { definition }, {}, signal),
    dryRunCampaign: (id: string, body: DryRunRequest, signal?: AbortSignal) =>
      client.send<DryRunAnswer>('POST', at('campaigns', id, 'dry-run'), body, { doubts: 'true' }, signal),
    testCampaign: (id: string, body: TestRequest) =>
      client.send<CampaignTestAnswer>('POST', at('campaigns', id, 'test'), body),
  }
}
