// Converts a short description of a GitHub event to a campaign definition: actor, place, link, picture, priority.

import type { NamedIcon, Priority } from '../../../contract/delivery.ts'
import type { DemoAction, DemoCampaign, DemoInboxStep } from '../definition.ts'

export interface Notice {
  title: string
  body: string
  link?: string
  icon?: NamedIcon
  priority?: Priority
  image?: string
  entity?: string
  actions?: DemoAction[]
}

/** Other texts for events for which `when` (CEL) holds; `key` is the branch that the funnel shows. */
export interface NoticeCase extends Partial<Notice> {
  key: string
  when: string
}

export interface GithubNotice extends Notice {
  /** `issues.opened`, or `push` for an event without actions: the tracked event without `github.`. */
  on: string
  where?: string
  cases?: NoticeCase[]
}

export const ACTOR = '{{ event.properties.sender.login }}'
export const REPO = '{{ event.properties.repository.full_name }}'
export const REPO_LINK = '{{ event.properties.repository.html_url }}'
const AVATAR = '{{ event.properties.sender.avatar_url }}'

/** Returns a Liquid output of a path within the webhook's payload. */
export function p(path: string, filters = ''): string {
  return `{{ event.properties.${path}${filters} }}`
}

/** Creates one campaign per event name. A notice with cases becomes a branch whose `else` is the notice itself. */
export function githubCampaigns(category: string, notices: readonly GithubNotice[]): DemoCampaign[] {
  return notices.map((notice) => {
    const { on, where, cases, ...plain } = notice
    return {
      key: `github-${on.replaceAll(/[._]/g, '-')}`,
      name: `GitHub: ${on.replaceAll(/[._]/g, ' ')}`,
      category: `github-${category}`,
      trigger: { event: `github.${on}`, ...(where === undefined ? {} : { where }) },
      steps: cases === undefined ? [inboxStep('tell', plain)] : [branchStep(plain, cases)],
    }
  })
}

function branchStep(plain: Notice, cases: readonly NoticeCase[]) {
  return {
    id: 'kind',
    type: 'branch' as const,
    branches: [
      ...cases.map(({ key, when, ...other }) => ({
        key,
        when,
        steps: [inboxStep(`tell-${key}`, { ...plain, ...other })],
      })),
      { key: 'rest', else: true, steps: [inboxStep('tell', plain)] },
    ],
  }
}

function inboxStep(id: string, notice: Notice): DemoInboxStep {
  const { image, ...rest } = notice
  return {
    id,
    type: 'inbox',
    icon: 'info',
    priority: 'normal',
    imageUrl: image ?? AVATAR,
    data: { repository: REPO, actor: ACTOR },
    link: REPO_LINK,
    ...rest,
  }
}
