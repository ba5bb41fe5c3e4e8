// Lists all campaigns for GitHub's webhooks; `npm run demo:replay` publishes those that are missing.

import type { DemoCampaign } from '../definition.ts'
import { AUTOMATION_CAMPAIGNS } from './automation.ts'
import { CODE_CAMPAIGNS } from './code.ts'
import { ISSUE_CAMPAIGNS } from './issues.ts'
import { PEOPLE_CAMPAIGNS } from './people.ts'
import { PULL_REQUEST_CAMPAIGNS } from './pull-requests.ts'
import { SECURITY_CAMPAIGNS } from './security.ts'
import { TALK_CAMPAIGNS } from './talk.ts'

export const GITHUB_CAMPAIGNS: readonly DemoCampaign[] = [
  ...ISSUE_CAMPAIGNS,
  ...PULL_REQUEST_CAMPAIGNS,
  ...CODE_CAMPAIGNS,
  ...AUTOMATION_CAMPAIGNS,
  ...SECURITY_CAMPAIGNS,
  ...PEOPLE_CAMPAIGNS,
  ...TALK_CAMPAIGNS,
]
