// Lists every command of the command line, in the order of the help; a check compares docs/cli.md with it.

import type { Command } from './command.ts'
import { doctorCommands } from './doctor/doctor.ts'
import { auditCommands } from './keeping/audit.ts'
import { backupCommands } from './keeping/backup.ts'
import { envMovingCommands } from './keeping/env-moving.ts'
import { epochCommands } from './keeping/epoch.ts'
import { masterKeyCommands } from './keeping/master-key.ts'
import { migrateCommands } from './keeping/migrate.ts'
import { portableCommands } from './keeping/portable.ts'
import { retentionCommands } from './keeping/retention.ts'
import { statsCommands } from './keeping/stats.ts'
import { campaignCommands } from './tenants/campaign.ts'
import { campaignDiffCommands } from './tenants/campaign-diff.ts'
import { campaignStateCommands } from './tenants/campaign-state.ts'
import { campaignTrialCommands } from './tenants/campaign-trials.ts'
import { configCommands } from './tenants/config.ts'
import { doubtCommands } from './tenants/doubts.ts'
import { emailCommands } from './tenants/email.ts'
import { enricherCommands } from './tenants/enricher.ts'
import { envCommands } from './tenants/env.ts'
import { envClosingCommands } from './tenants/env-closing.ts'
import { givenUpCommands } from './tenants/given-up.ts'
import { memberCommands } from './tenants/member.ts'
import { orgCommands } from './tenants/org.ts'
import { secretCommands } from './tenants/secret.ts'
import { settingsCommands } from './tenants/settings.ts'
import { singleSignOnCommands } from './tenants/single-sign-on.ts'
import { sourceCommands } from './tenants/source.ts'
import { sourceDeliveryCommands } from './tenants/source-deliveries.ts'
import { suppressionCommands } from './tenants/suppression.ts'
import { textCommands } from './tenants/texts.ts'
import { userCommands } from './tenants/user.ts'

export const COMMANDS: readonly Command[] = [
  ...orgCommands,
  ...singleSignOnCommands,
  ...memberCommands,
  ...settingsCommands,
  ...configCommands,
  ...envCommands,
  ...envClosingCommands,
  ...envMovingCommands,
  ...secretCommands,
  ...userCommands,
  ...suppressionCommands,
  ...campaignCommands,
  ...campaignStateCommands,
  ...campaignDiffCommands,
  ...campaignTrialCommands,
  ...enricherCommands,
  ...textCommands,
  ...emailCommands,
  ...sourceCommands,
  ...sourceDeliveryCommands,
  ...givenUpCommands,
  ...doubtCommands,
  ...auditCommands,
  ...retentionCommands,
  ...statsCommands,
  ...masterKeyCommands,
  ...migrateCommands,
  ...backupCommands,
  ...epochCommands,
  ...portableCommands,
  ...doctorCommands,
]
