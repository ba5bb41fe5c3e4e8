// Defines notifications of members, teams, stars, sponsors, installations and purchases.

import { ACTOR, type GithubNotice, githubCampaigns, p, REPO, REPO_LINK } from './notice.ts'

const ORGANIZATION = p('organization.login')
const ORGANIZATION_LINK = `https://github.com/${ORGANIZATION}`
const onTeam = {
  body: ORGANIZATION,
  link: `{% if event.properties.team.html_url %}${p('team.html_url')}{% else %}${ORGANIZATION_LINK}{% endif %}`,
}
const onInstallation = { body: `On ${p('installation.account.login')}`, link: p('installation.html_url') }
const onPurchase = {
  body: `${p('marketplace_purchase.account.login')} · ${p('marketplace_purchase.billing_cycle')}`,
  link: 'https://github.com/marketplace',
}

const NOTICES: readonly GithubNotice[] = [
  {
    on: 'member.added',
    title: `${p('member.login')} joined ${REPO}`,
    body: `Invited by ${ACTOR}`,
    link: REPO_LINK,
    image: p('member.avatar_url'),
    icon: 'success',
  },
  {
    on: 'membership.added',
    ...onTeam,
    title: `${p('member.login')} joined the team ${p('team.name')}`,
    image: p('member.avatar_url'),
    icon: 'success',
  },
  {
    on: 'membership.removed',
    ...onTeam,
    title: `${p('member.login')} left the team ${p('team.name')}`,
    image: p('member.avatar_url'),
    icon: 'warning',
  },
  {
    on: 'organization.member_added',
    title: `${p('membership.user.login')} joined ${ORGANIZATION}`,
    body: `As ${p('membership.role')}`,
    link: ORGANIZATION_LINK,
    image: p('membership.user.avatar_url'),
    icon: 'success',
  },
  {
    on: 'organization.member_invited',
    title: `${ORGANIZATION} invited ${p('invitation.login', ' | default: event.properties.user.login')}`,
    body: `By ${ACTOR}`,
    link: ORGANIZATION_LINK,
  },
  {
    on: 'organization.renamed',
    title: `The organisation is called ${ORGANIZATION} now`,
    body: `By ${ACTOR}`,
    link: ORGANIZATION_LINK,
    icon: 'warning',
  },
  {
    on: 'org_block.blocked',
    title: `${ORGANIZATION} blocked ${p('blocked_user.login')}`,
    body: `By ${ACTOR}`,
    link: ORGANIZATION_LINK,
    image: p('blocked_user.avatar_url'),
    icon: 'error',
    priority: 'high',
  },
  {
    on: 'org_block.unblocked',
    title: `${ORGANIZATION} unblocked ${p('blocked_user.login')}`,
    body: `By ${ACTOR}`,
    link: ORGANIZATION_LINK,
    image: p('blocked_user.avatar_url'),
  },
  { on: 'team.created', ...onTeam, title: `${ACTOR} created the team ${p('team.name')}`, icon: 'success' },
  { on: 'team.added_to_repository', ...onTeam, title: `The team ${p('team.name')} works on ${REPO} now` },
  { on: 'team.removed_from_repository', ...onTeam, title: `The team ${p('team.name')} left ${REPO}`, icon: 'warning' },
  {
    on: 'team.deleted',
    ...onTeam,
    title: `${ACTOR} deleted the team ${p('team.name')}`,
    link: ORGANIZATION_LINK,
    icon: 'warning',
    priority: 'high',
  },
  { on: 'team_add', ...onTeam, title: `The team ${p('team.name')} may ${p('team.permission')} ${REPO}` },
  {
    on: 'star.created',
    title: `${ACTOR} starred ${REPO}`,
    body: `Stars now: ${p('repository.stargazers_count')}`,
    link: `${REPO_LINK}/stargazers`,
    icon: 'success',
    priority: 'low',
  },
  {
    on: 'watch.started',
    title: `${ACTOR} watches ${REPO}`,
    body: `Watchers now: ${p('repository.watchers_count')}`,
    link: `${REPO_LINK}/watchers`,
    priority: 'low',
  },
  {
    on: 'sponsorship.created',
    title: `${p('sponsorship.sponsor.login')} sponsors ${p('sponsorship.sponsorable.login')}`,
    body: p('sponsorship.tier.name'),
    link: p('sponsorship.sponsorable.html_url'),
    image: p('sponsorship.sponsor.avatar_url'),
    icon: 'success',
    priority: 'high',
  },
  {
    on: 'sponsorship.pending_tier_change',
    title: `${p('sponsorship.sponsor.login')} will change tier`,
    body: `From ${p('changes.tier.from.name')}, on ${p('effective_date', ' | slice: 0, 10')}`,
    link: p('sponsorship.sponsorable.html_url'),
    image: p('sponsorship.sponsor.avatar_url'),
    icon: 'warning',
  },
  {
    on: 'marketplace_purchase.purchased',
    ...onPurchase,
    title: `${p('marketplace_purchase.plan.name')} was bought`,
    icon: 'success',
    priority: 'high',
  },
  {
    on: 'marketplace_purchase.changed',
    ...onPurchase,
    title: `The plan is ${p('marketplace_purchase.plan.name')} now`,
  },
  {
    on: 'marketplace_purchase.cancelled',
    ...onPurchase,
    title: `${p('marketplace_purchase.plan.name')} was cancelled`,
    icon: 'error',
    priority: 'high',
  },
  {
    on: 'installation.created',
    ...onInstallation,
    title: `${ACTOR} installed ${p('installation.app_slug', ' | default: "an app"')}`,
    icon: 'success',
  },
  {
    on: 'installation.deleted',
    ...onInstallation,
    title: `${ACTOR} removed ${p('installation.app_slug', ' | default: "an app"')}`,
    icon: 'warning',
  },
  {
    on: 'installation.suspend',
    ...onInstallation,
    title: `${ACTOR} suspended an app`,
    icon: 'error',
    priority: 'high',
  },
  { on: 'installation.unsuspend', ...onInstallation, title: `${ACTOR} let an app work again`, icon: 'success' },
  {
    on: 'installation_repositories.added',
    ...onInstallation,
    title: `An app may see ${p('repositories_added[0].full_name', ' | default: "all repositories"')}`,
  },
  {
    on: 'installation_repositories.removed',
    ...onInstallation,
    title: `An app may no longer see ${p('repositories_removed[0].full_name')}`,
    icon: 'warning',
  },
  {
    on: 'github_app_authorization.revoked',
    title: `${ACTOR} no longer trusts the app`,
    body: 'Its tokens have ended.',
    link: p('sender.html_url'),
    icon: 'error',
    priority: 'high',
  },
]

export const PEOPLE_CAMPAIGNS = githubCampaigns('people', NOTICES)
