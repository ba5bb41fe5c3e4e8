// Lists the pages with their titles, and loads the code of each when it is first shown.

import type { Role } from '../../contract/role.ts'
import type { PageName } from '../routing/routes.ts'

export interface PageEntry {
  title: string
  tag: string
  load(): Promise<unknown>
}

export const PAGES: Readonly<Record<Exclude<PageName, 'first' | 'not-found'>, PageEntry>> = {
  'sign-in': { title: 'Sign in', tag: 'nc-sign-in', load: () => import('../pages/access/sign-in.ts') },
  'continue-sign-in': {
    title: 'Single sign-on',
    tag: 'nc-continue-sign-in',
    load: () => import('../pages/access/continue-sign-in.ts'),
  },
  'forgot-password': {
    title: 'Forgot password',
    tag: 'nc-forgot-password',
    load: () => import('../pages/access/forgot-password.ts'),
  },
  'accept-invitation': {
    title: 'Accept invitation',
    tag: 'nc-accept-invitation',
    load: () => import('../pages/access/accept-invitation.ts'),
  },
  'reset-password': {
    title: 'Set a new password',
    tag: 'nc-reset-password',
    load: () => import('../pages/access/reset-password.ts'),
  },
  'set-up': { title: 'Set up', tag: 'nc-set-up', load: () => import('../pages/access/set-up.ts') },
  onboarding: { title: 'Onboarding', tag: 'nc-onboarding', load: () => import('../pages/access/onboarding.ts') },
  'new-organisation': {
    title: 'New organisation',
    tag: 'nc-new-organisation',
    load: () => import('../pages/access/new-organisation.ts'),
  },
  home: { title: 'Home', tag: 'nc-home', load: () => import('../pages/home/home.ts') },
  'first-steps': {
    title: 'First steps',
    tag: 'nc-first-steps',
    load: () => import('../pages/first-steps/first-steps.ts'),
  },
  inbox: { title: 'Delivery History', tag: 'nc-history', load: () => import('../pages/history/history.ts') },
  campaigns: { title: 'Campaigns', tag: 'nc-campaigns', load: () => import('../pages/campaigns/campaigns.ts') },
  'new-campaign': {
    title: 'New campaign',
    tag: 'nc-new-campaign',
    load: () => import('../pages/new-campaign/new-campaign.ts'),
  },
  campaign: { title: 'Campaign', tag: 'nc-campaign', load: () => import('../pages/campaigns/campaign.ts') },
  'campaign-editor': {
    title: 'Campaign editor',
    tag: 'nc-campaign-editor',
    load: () => import('../pages/editor/editor.ts'),
  },
  events: { title: 'Events', tag: 'nc-events', load: () => import('../pages/events/events.ts') },
  event: { title: 'Event', tag: 'nc-event', load: () => import('../pages/events/event.ts') },
  'given-up': { title: 'Given up', tag: 'nc-given-up', load: () => import('../pages/events/given-up.ts') },
  doubts: { title: 'Doubts', tag: 'nc-doubts', load: () => import('../pages/events/doubts.ts') },
  users: { title: 'Users', tag: 'nc-users', load: () => import('../pages/users/users.ts') },
  user: { title: 'User', tag: 'nc-user', load: () => import('../pages/users/user.ts') },
  topics: { title: 'Topics', tag: 'nc-topics', load: () => import('../pages/topics/topics.ts') },
  topic: { title: 'Topic', tag: 'nc-topic', load: () => import('../pages/topics/topic.ts') },
  environments: {
    title: 'Environments',
    tag: 'nc-environments',
    load: () => import('../pages/environments/environments.ts'),
  },
  environment: {
    title: 'Environment',
    tag: 'nc-environment',
    load: () => import('../pages/environments/environment.ts'),
  },
  secrets: { title: 'Secrets', tag: 'nc-secrets', load: () => import('../pages/environments/secrets.ts') },
  configs: { title: 'Notification configs', tag: 'nc-configs', load: () => import('../pages/configs/configs.ts') },
  config: { title: 'Notification config', tag: 'nc-config', load: () => import('../pages/configs/config.ts') },
  members: { title: 'Members', tag: 'nc-members', load: () => import('../pages/people/members.ts') },
  suppressions: {
    title: 'Suppressions',
    tag: 'nc-suppressions',
    load: () => import('../pages/suppressions/suppressions.ts'),
  },
  enrichers: { title: 'Enrichers', tag: 'nc-enrichers', load: () => import('../pages/enrichers/enrichers.ts') },
  enricher: { title: 'Enricher', tag: 'nc-enricher', load: () => import('../pages/enrichers/enricher.ts') },
  texts: { title: 'Texts', tag: 'nc-texts', load: () => import('../pages/texts/texts.ts') },
  translation: { title: 'Translation', tag: 'nc-translation', load: () => import('../pages/texts/text.ts') },
  snippet: { title: 'Snippet', tag: 'nc-snippet', load: () => import('../pages/texts/text.ts') },
  integrations: { title: 'Email', tag: 'nc-integrations', load: () => import('../pages/email/integrations.ts') },
  integration: { title: 'Email', tag: 'nc-integration', load: () => import('../pages/email/integration.ts') },
  sources: { title: 'Sources', tag: 'nc-sources', load: () => import('../pages/sources/sources.ts') },
  source: { title: 'Source', tag: 'nc-source', load: () => import('../pages/sources/source.ts') },
  'audit-log': { title: 'Audit log', tag: 'nc-audit-log', load: () => import('../pages/organisation/audit-log.ts') },
  settings: { title: 'Organisation', tag: 'nc-organisation', load: () => import('../pages/organisation/settings.ts') },
  account: { title: 'Your account', tag: 'nc-account', load: () => import('../pages/people/account.ts') },
}

/** Registers the button of the library. */
export const loadComponents = (): Promise<unknown> => import('../elements/components.ts')

/**
 * Loads the code of a page, with the button of the library. The history shows its rows without: the button is a third of
 * its script, and comes right after.
 */
export const loadPage = (entry: PageEntry): Promise<unknown> =>
  entry === PAGES.inbox ? entry.load() : Promise.all([entry.load(), loadComponents()])

export interface NavigationEntry {
  page: PageName
  label: string
  icon: string
  /** Pages below this one, for which it is also the current entry. */
  below: readonly PageName[]
  /** The least role of its calls; others do not see the entry. */
  role?: Role
}

/** The entries of the navigation, in their groups. */
export const NAVIGATION: readonly (readonly NavigationEntry[])[] = [
  [
    { page: 'home', label: 'Home', icon: 'home', below: ['first-steps'] },
    { page: 'inbox', label: 'Delivery History', icon: 'inbox', below: [] },
    { page: 'campaigns', label: 'Campaigns', icon: 'campaign', below: ['campaign', 'new-campaign', 'campaign-editor'] },
    { page: 'events', label: 'Events', icon: 'bolt', below: ['event'] },
    { page: 'doubts', label: 'Doubts', icon: 'eye', below: [] },
    { page: 'given-up', label: 'Given up', icon: 'warning', below: [] },
    { page: 'users', label: 'Users', icon: 'users', below: ['user'] },
    { page: 'topics', label: 'Topics', icon: 'topic', below: ['topic'] },
    { page: 'suppressions', label: 'Suppressions', icon: 'ban', below: [] },
    { page: 'enrichers', label: 'Enrichers', icon: 'plug', below: ['enricher'] },
    { page: 'texts', label: 'Texts', icon: 'copy', below: ['translation', 'snippet'] },
    { page: 'sources', label: 'Sources', icon: 'source', below: ['source'] },
    { page: 'integrations', label: 'Email', icon: 'mail', below: ['integration'] },
  ],
  [
    { page: 'environments', label: 'Environments', icon: 'gear', below: ['environment', 'secrets'] },
    { page: 'configs', label: 'Notification configs', icon: 'bell', below: ['config'] },
    { page: 'members', label: 'Members', icon: 'members', below: [] },
    { page: 'settings', label: 'Organisation', icon: 'building', below: [] },
    { page: 'audit-log', label: 'Audit log', icon: 'list', below: [], role: 'admin' },
  ],
]
