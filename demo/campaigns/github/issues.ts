// Defines notifications of issues, their comments and milestones.

import { ACTOR, type GithubNotice, githubCampaigns, p, REPO } from './notice.ts'

const ISSUE = `#${p('issue.number')}`
const onIssue = {
  body: `${p('issue.title')} · ${REPO}`,
  link: p('issue.html_url'),
  entity: `issue:${REPO}${ISSUE}`,
}
const onComment = {
  body: `${p('comment.body', ' | truncate: 200')}`,
  link: p('comment.html_url'),
  entity: onIssue.entity,
}
const onMilestone = {
  body: `${p('milestone.title')} · ${REPO}`,
  link: p('milestone.html_url'),
  entity: `milestone:${REPO}${p('milestone.number')}`,
}

const NOTICES: readonly GithubNotice[] = [
  {
    on: 'issues.opened',
    ...onIssue,
    title: `${ACTOR} opened issue ${ISSUE}`,
    actions: [{ label: 'Open the issue', link: p('issue.html_url'), style: 'primary' }],
    cases: [
      { key: 'bug', when: 'event.properties.issue.labels.exists(l, l.name == "bug")', icon: 'error', priority: 'high' },
    ],
  },
  { on: 'issues.reopened', ...onIssue, title: `${ACTOR} reopened issue ${ISSUE}`, icon: 'warning', priority: 'high' },
  {
    on: 'issues.edited',
    ...onIssue,
    title: `${ACTOR} edited issue ${ISSUE}`,
    priority: 'low',
  },
  {
    on: 'issues.assigned',
    ...onIssue,
    title: `${ACTOR} assigned issue ${ISSUE} to ${p('issue.assignee.login', ' | default: "someone"')}`,
    priority: 'high',
  },
  { on: 'issues.unassigned', ...onIssue, title: `Issue ${ISSUE} has lost an assignee`, priority: 'low' },
  {
    on: 'issues.labeled',
    ...onIssue,
    title: `${ACTOR} labelled issue ${ISSUE}${p('label.name', ' | prepend: ": "')}`,
    priority: 'low',
  },
  {
    on: 'issues.milestoned',
    ...onIssue,
    title: `Issue ${ISSUE} is planned for ${p('issue.milestone.title', ' | default: "a milestone"')}`,
  },
  { on: 'issues.demilestoned', ...onIssue, title: `Issue ${ISSUE} left its milestone`, priority: 'low' },
  { on: 'issues.pinned', ...onIssue, title: `${ACTOR} pinned issue ${ISSUE}` },
  { on: 'issues.locked', ...onIssue, title: `${ACTOR} locked issue ${ISSUE}`, icon: 'warning' },
  { on: 'issues.unlocked', ...onIssue, title: `${ACTOR} unlocked issue ${ISSUE}`, priority: 'low' },
  { on: 'issues.transferred', ...onIssue, title: `${ACTOR} moved issue ${ISSUE} to another repository` },
  {
    on: 'issues.deleted',
    ...onIssue,
    title: `${ACTOR} deleted issue ${ISSUE}`,
    link: p('repository.html_url'),
    icon: 'warning',
  },
  { on: 'issue_comment.created', ...onComment, title: `${ACTOR} commented on ${ISSUE} ${p('issue.title')}` },
  {
    on: 'issue_comment.edited',
    ...onComment,
    title: `${ACTOR} edited a comment on ${ISSUE} of ${REPO}`,
    priority: 'low',
  },
  {
    on: 'issue_comment.deleted',
    ...onComment,
    title: `${ACTOR} deleted a comment on ${ISSUE} of ${REPO}`,
    link: p('issue.html_url'),
    icon: 'warning',
    priority: 'low',
  },
  { on: 'milestone.created', ...onMilestone, title: `${ACTOR} set up a milestone` },
  { on: 'milestone.closed', ...onMilestone, title: `${ACTOR} closed a milestone`, icon: 'success' },
  {
    on: 'milestone.deleted',
    ...onMilestone,
    title: `${ACTOR} deleted a milestone`,
    link: p('repository.html_url'),
    icon: 'warning',
  },
]

export const ISSUE_CAMPAIGNS = githubCampaigns('issues', NOTICES)
