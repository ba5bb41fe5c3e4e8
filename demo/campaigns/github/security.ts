// Defines notifications of security alerts and advisories; their severity decides icon and priority.

import { type GithubNotice, githubCampaigns, type NoticeCase, p, REPO, REPO_LINK } from './notice.ts'

/** Maps severe alerts to urgent and moderate ones to high; low ones keep the notice's priority. */
function bySeverity(path: string): NoticeCase[] {
  const severity = `event.properties.${path}`
  return [
    { key: 'grave', when: `${severity} in ["critical", "high", "error"]`, icon: 'error', priority: 'urgent' },
    { key: 'moderate', when: `${severity} in ["moderate", "medium", "warning"]`, icon: 'warning', priority: 'high' },
  ]
}

const onScan = {
  body: `${p('alert.rule.description')} · ${REPO}`,
  link: p('alert.html_url'),
  entity: `code-scanning:${REPO}#${p('alert.number')}`,
}
const onDependabot = {
  body: `${p('alert.security_advisory.summary')} · ${REPO}`,
  link: p('alert.html_url'),
  entity: `dependabot:${REPO}#${p('alert.number')}`,
}
const onAdvisory = {
  body: p('security_advisory.description', ' | truncate: 220'),
  link: p('security_advisory.references[0].url'),
  image: '',
  entity: `advisory:${p('security_advisory.ghsa_id')}`,
}

const NOTICES: readonly GithubNotice[] = [
  {
    on: 'code_scanning_alert.created',
    ...onScan,
    title: `${p('alert.tool.name')} found something: ${p('alert.rule.id')}`,
    icon: 'warning',
    cases: bySeverity('alert.rule.severity'),
  },
  {
    on: 'code_scanning_alert.reopened',
    ...onScan,
    title: `${p('alert.rule.id')} is back`,
    icon: 'warning',
    cases: bySeverity('alert.rule.severity'),
  },
  { on: 'code_scanning_alert.fixed', ...onScan, title: `${p('alert.rule.id')} is fixed`, icon: 'success' },
  {
    on: 'code_scanning_alert.closed_by_user',
    ...onScan,
    title: `${p('alert.rule.id')} was closed as ${p('alert.dismissed_reason')}`,
    priority: 'low',
  },
  {
    on: 'dependabot_alert.created',
    ...onDependabot,
    title: `${p('alert.dependency.package.name')} is vulnerable`,
    icon: 'warning',
    actions: [{ label: 'See the fix', link: p('alert.html_url'), style: 'danger' }],
    cases: bySeverity('alert.security_advisory.severity'),
  },
  {
    on: 'dependabot_alert.fixed',
    ...onDependabot,
    title: `${p('alert.dependency.package.name')} is safe again`,
    icon: 'success',
  },
  {
    on: 'repository_vulnerability_alert.create',
    title: `${p('alert.affected_package_name')} ${p('alert.affected_range')} is vulnerable`,
    body: `${p('alert.external_identifier')}, fixed in ${p('alert.fixed_in')} · ${REPO}`,
    link: p('alert.external_reference'),
    icon: 'warning',
    cases: bySeverity('alert.severity'),
  },
  {
    on: 'repository_vulnerability_alert.dismiss',
    title: `The alert about ${p('alert.affected_package_name')} was dismissed`,
    body: `${p('alert.dismiss_reason')} · ${REPO}`,
    link: REPO_LINK,
    priority: 'low',
  },
  {
    on: 'security_advisory.published',
    ...onAdvisory,
    title: p('security_advisory.summary'),
    icon: 'warning',
    cases: bySeverity('security_advisory.severity'),
  },
  {
    on: 'security_advisory.updated',
    ...onAdvisory,
    title: `Updated: ${p('security_advisory.summary')}`,
    priority: 'low',
  },
  {
    on: 'security_advisory.withdrawn',
    ...onAdvisory,
    title: `Withdrawn: ${p('security_advisory.summary', ' | remove_first: "Withdrawn: "')}`,
    icon: 'success',
    priority: 'low',
  },
]

export const SECURITY_CAMPAIGNS = githubCampaigns('security', NOTICES)
