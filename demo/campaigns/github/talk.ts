// Defines notifications of discussions and project boards.

import { ACTOR, type GithubNotice, githubCampaigns, p, REPO, REPO_LINK } from './notice.ts'

const onDiscussion = {
  body: `${p('discussion.title')} · ${REPO}`,
  link: p('discussion.html_url'),
  entity: `discussion:${REPO}#${p('discussion.number')}`,
}
const onItem = {
  body: `${p('projects_v2_item.content_type')} · ${p('organization.login')}`,
  link: `https://github.com/${p('organization.login')}`,
  entity: `project-item:${p('projects_v2_item.id')}`,
}

const NOTICES: readonly GithubNotice[] = [
  { on: 'discussion.created', ...onDiscussion, title: `${ACTOR} started a discussion` },
  {
    on: 'discussion.answered',
    ...onDiscussion,
    title: `A discussion has an answer`,
    icon: 'success',
    priority: 'high',
    link: p('answer.html_url'),
  },
  { on: 'discussion.unanswered', ...onDiscussion, title: `A discussion has lost its answer`, icon: 'warning' },
  { on: 'discussion.pinned', ...onDiscussion, title: `${ACTOR} pinned a discussion` },
  { on: 'discussion.locked', ...onDiscussion, title: `${ACTOR} locked a discussion`, icon: 'warning' },
  { on: 'discussion.transferred', ...onDiscussion, title: `${ACTOR} moved a discussion` },
  {
    on: 'discussion_comment.created',
    ...onDiscussion,
    title: `${ACTOR} spoke up in ${p('discussion.title')}`,
    body: p('comment.body', ' | truncate: 200'),
    link: p('comment.html_url'),
  },
  {
    on: 'discussion_comment.edited',
    ...onDiscussion,
    title: `${ACTOR} edited an answer`,
    link: p('comment.html_url'),
    priority: 'low',
  },
  {
    on: 'project.created',
    title: `${ACTOR} began the project ${p('project.name')}`,
    body: p('project.body'),
    link: p('project.html_url'),
    icon: 'success',
  },
  {
    on: 'project_card.created',
    title: `${ACTOR} put a card on the board`,
    body: `${p('project_card.note')} · ${REPO}`,
    link: `${REPO_LINK}/projects`,
  },
  {
    on: 'project_card.moved',
    title: `${ACTOR} moved a card`,
    body: `${p('project_card.note')} · ${REPO}`,
    link: `${REPO_LINK}/projects`,
    priority: 'low',
  },
  {
    on: 'project_column.created',
    title: `A new column: ${p('project_column.name')}`,
    body: REPO,
    link: `${REPO_LINK}/projects`,
    priority: 'low',
  },
  { on: 'projects_v2_item.created', ...onItem, title: `${ACTOR} added a project item` },
  { on: 'projects_v2_item.archived', ...onItem, title: `${ACTOR} archived a project item`, priority: 'low' },
  { on: 'projects_v2_item.restored', ...onItem, title: `${ACTOR} brought a project item back`, icon: 'success' },
]

export const TALK_CAMPAIGNS = githubCampaigns('talk', NOTICES)
