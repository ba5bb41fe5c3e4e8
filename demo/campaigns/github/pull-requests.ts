// Defines notifications of pull requests, reviews and their comments.

import { ACTOR, type GithubNotice, githubCampaigns, p, REPO } from './notice.ts'

const PR = `#${p('pull_request.number')}`
const onPull = {
  body: `${p('pull_request.title')} · ${REPO}`,
  link: p('pull_request.html_url'),
  entity: `pull:${REPO}${PR}`,
}
const openIt = [{ label: 'Open the pull request', link: p('pull_request.html_url'), style: 'primary' as const }]

const NOTICES: readonly GithubNotice[] = [
  { on: 'pull_request.opened', ...onPull, title: `${ACTOR} opened pull request ${PR}`, actions: openIt },
  { on: 'pull_request.reopened', ...onPull, title: `${ACTOR} reopened pull request ${PR}`, icon: 'warning' },
  {
    on: 'pull_request.closed',
    ...onPull,
    title: `${ACTOR} closed pull request ${PR} without merging`,
    icon: 'warning',
    cases: [
      {
        key: 'merged',
        when: 'event.properties.pull_request.merged == true',
        title: `${ACTOR} merged pull request ${PR}`,
        icon: 'success',
      },
    ],
  },
  { on: 'pull_request.assigned', ...onPull, title: `${ACTOR} assigned pull request ${PR}`, priority: 'high' },
  { on: 'pull_request.unassigned', ...onPull, title: `Pull request ${PR} has lost an assignee`, priority: 'low' },
  {
    on: 'pull_request.ready_for_review',
    ...onPull,
    title: `Pull request ${PR} is ready for review`,
    icon: 'success',
    priority: 'high',
  },
  { on: 'pull_request.converted_to_draft', ...onPull, title: `Pull request ${PR} is a draft again`, priority: 'low' },
  {
    on: 'pull_request.review_requested',
    ...onPull,
    title: `${ACTOR} asks for a review of ${PR}`,
    priority: 'urgent',
    icon: 'warning',
    actions: [{ label: 'Review it', link: `${p('pull_request.html_url')}/files`, style: 'primary' }],
  },
  {
    on: 'pull_request.review_request_removed',
    ...onPull,
    title: `A review of ${PR} is no longer asked for`,
    priority: 'low',
  },
  {
    on: 'pull_request.synchronize',
    ...onPull,
    title: `${ACTOR} pushed to pull request ${PR}`,
    priority: 'low',
  },
  {
    on: 'pull_request.labeled',
    ...onPull,
    title: `${ACTOR} labelled pull request ${PR}${p('label.name', ' | prepend: ": "')}`,
    priority: 'low',
  },
  { on: 'pull_request.locked', ...onPull, title: `${ACTOR} locked pull request ${PR}`, icon: 'warning' },
  {
    on: 'pull_request_review.submitted',
    ...onPull,
    title: `${p('review.user.login')} reviewed pull request ${PR}`,
    link: p('review.html_url'),
    image: p('review.user.avatar_url'),
    cases: [
      {
        key: 'approved',
        when: 'event.properties.review.state == "approved"',
        title: `${p('review.user.login')} approved ${PR}`,
        icon: 'success',
        priority: 'high',
      },
      {
        key: 'changes',
        when: 'event.properties.review.state == "changes_requested"',
        title: `${p('review.user.login')} wants changes in ${PR}`,
        icon: 'error',
        priority: 'high',
      },
    ],
  },
  {
    on: 'pull_request_review.dismissed',
    ...onPull,
    title: `A review of ${PR} was dismissed`,
    icon: 'warning',
    link: p('review.html_url'),
  },
  {
    on: 'pull_request_review_comment.created',
    ...onPull,
    title: `${ACTOR} commented on ${p('comment.path')} in ${PR}`,
    body: p('comment.body', ' | truncate: 200'),
    link: p('comment.html_url'),
  },
  {
    on: 'pull_request_review_comment.edited',
    ...onPull,
    title: `${ACTOR} edited a review comment in ${PR}`,
    body: p('comment.body', ' | truncate: 200'),
    link: p('comment.html_url'),
    priority: 'low',
  },
  {
    on: 'pull_request_review_thread.resolved',
    ...onPull,
    title: `${ACTOR} resolved a thread in ${PR}`,
    icon: 'success',
  },
  {
    on: 'pull_request_review_thread.unresolved',
    ...onPull,
    title: `${ACTOR} took up a thread in ${PR} again`,
    icon: 'warning',
  },
  {
    on: 'merge_group.checks_requested',
    title: `The merge queue of ${REPO} asks for checks`,
    body: p('merge_group.head_commit.message', ' | truncate: 160'),
    link: p('repository.html_url', ' | append: "/queue"'),
    priority: 'low',
  },
]

export const PULL_REQUEST_CAMPAIGNS = githubCampaigns('pull-requests', NOTICES)
