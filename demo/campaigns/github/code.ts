// Defines notifications of pushes, branches, releases, packages, pages and repositories.

import { ACTOR, type GithubNotice, githubCampaigns, p, REPO, REPO_LINK } from './notice.ts'

const REF = p('ref', ' | remove: "refs/heads/" | remove: "refs/tags/"')
const onRelease = {
  body: `${REPO} ${p('release.tag_name')}`,
  link: p('release.html_url'),
  entity: `release:${REPO}@${p('release.tag_name')}`,
}
const onRepository = {
  body: p('repository.description', ' | default: "No description"'),
  link: REPO_LINK,
  entity: `repository:${REPO}`,
}

const NOTICES: readonly GithubNotice[] = [
  {
    on: 'push',
    title: `${p('pusher.name')} pushed ${p('commits.size')} {% if event.properties.commits.size == 1 %}commit{% else %}commits{% endif %} to ${REF}`,
    body: `${p('head_commit.message', ' | default: "No new commit" | truncate: 160')} · ${REPO}`,
    link: p('compare'),
    entity: `ref:${REPO}/${p('ref')}`,
    cases: [
      {
        key: 'deleted',
        when: 'event.properties.deleted == true',
        title: `${p('pusher.name')} deleted ${REF}`,
        body: REPO,
        icon: 'warning',
      },
      {
        key: 'forced',
        when: 'event.properties.forced == true',
        title: `${p('pusher.name')} force-pushed ${REF}`,
        icon: 'error',
        priority: 'high',
      },
      {
        key: 'tag',
        when: 'event.properties.ref.startsWith("refs/tags/")',
        title: `${p('pusher.name')} pushed the tag ${REF}`,
      },
    ],
  },
  {
    on: 'create',
    title: `${ACTOR} created the ${p('ref_type')} ${REF}`,
    body: REPO,
    link: `${REPO_LINK}/tree/${p('ref')}`,
    icon: 'success',
  },
  { on: 'delete', title: `${ACTOR} deleted the ${p('ref_type')} ${REF}`, body: REPO, icon: 'warning' },
  {
    on: 'commit_comment.created',
    title: `${ACTOR} commented on commit ${p('comment.commit_id', ' | slice: 0, 7')}`,
    body: p('comment.body', ' | truncate: 200'),
    link: p('comment.html_url'),
  },
  {
    on: 'fork',
    title: `${ACTOR} forked ${REPO}`,
    body: `It lives at ${p('forkee.full_name')} now.`,
    link: p('forkee.html_url'),
    icon: 'success',
  },
  {
    on: 'gollum',
    title: `${ACTOR} ${p('pages[0].action')} the wiki page ${p('pages[0].title')}`,
    body: REPO,
    link: p('pages[0].html_url'),
    priority: 'low',
  },
  {
    on: 'page_build',
    title: `The pages of ${REPO} are built`,
    body: `Commit ${p('build.commit', ' | slice: 0, 7')} in ${p('build.duration')} ms`,
    icon: 'success',
    priority: 'low',
    cases: [
      {
        key: 'failed',
        when: 'event.properties.build.status == "errored"',
        title: `The pages of ${REPO} could not be built`,
        body: p('build.error.message'),
        icon: 'error',
        priority: 'high',
      },
    ],
  },
  {
    on: 'release.published',
    ...onRelease,
    title: `${p('release.name', ' | default: event.properties.release.tag_name')} is out`,
    icon: 'success',
    priority: 'high',
    actions: [{ label: 'Read the notes', link: p('release.html_url'), style: 'primary' }],
  },
  { on: 'release.prereleased', ...onRelease, title: `${p('release.tag_name')} can be tried`, icon: 'warning' },
  { on: 'release.created', ...onRelease, title: `${ACTOR} drafted release ${p('release.tag_name')}`, priority: 'low' },
  {
    on: 'release.deleted',
    ...onRelease,
    title: `${ACTOR} deleted release ${p('release.tag_name')}`,
    link: REPO_LINK,
    icon: 'warning',
  },
  {
    on: 'package.published',
    title: `${p('package.name')} ${p('package.package_version.version', ' | truncate: 19')} is published`,
    body: `${p('package.package_type')} package · ${REPO}`,
    link: p('package.html_url'),
    icon: 'success',
  },
  { on: 'public', ...onRepository, title: `${REPO} is open source now`, icon: 'success', priority: 'high' },
  { on: 'repository.created', ...onRepository, title: `${ACTOR} created ${REPO}`, icon: 'success' },
  {
    on: 'repository.publicized',
    ...onRepository,
    title: `${ACTOR} made ${REPO} public`,
    icon: 'warning',
    priority: 'high',
  },
  {
    on: 'repository.privatized',
    ...onRepository,
    title: `${ACTOR} made ${REPO} private`,
    icon: 'warning',
    priority: 'high',
  },
  { on: 'repository.renamed', ...onRepository, title: `${p('changes.repository.name.from')} is called ${REPO} now` },
  { on: 'repository.transferred', ...onRepository, title: `${REPO} has a new owner`, icon: 'warning' },
  { on: 'branch_protection_rule.created', title: `${ACTOR} protects ${p('rule.name')}`, body: REPO, icon: 'success' },
  {
    on: 'branch_protection_rule.edited',
    title: `${ACTOR} changed the protection of ${p('rule.name')}`,
    body: REPO,
    icon: 'warning',
  },
  {
    on: 'branch_protection_rule.deleted',
    title: `${p('rule.name')} is no longer protected`,
    body: REPO,
    icon: 'error',
    priority: 'urgent',
  },
  {
    on: 'deploy_key.created',
    title: `${ACTOR} added the deploy key ${p('key.title')}`,
    body: REPO,
    icon: 'warning',
    priority: 'high',
  },
]

export const CODE_CAMPAIGNS = githubCampaigns('code', NOTICES)
