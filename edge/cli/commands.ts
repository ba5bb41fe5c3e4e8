// Every command of the command line, in the order of the help; docs/cli.md is compared with it.

import { backupCommands } from './backup.ts'
import { campaignCommands } from './campaign.ts'
import type { Command } from './command.ts'
import { doctorCommands } from './doctor.ts'
import { envCommands } from './env.ts'
import { masterKeyCommands } from './master-key.ts'
import { orgCommands } from './org.ts'
import { secretCommands } from './secret.ts'
import { statsCommands } from './stats.ts'
import { userCommands } from './user.ts'

export const COMMANDS: readonly Command[] = [
  ...orgCommands,
  ...envCommands,
  ...secretCommands,
  ...userCommands,
  ...campaignCommands,
  ...statsCommands,
  ...masterKeyCommands,
  ...backupCommands,
  ...doctorCommands,
]
