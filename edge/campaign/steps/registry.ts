// Lists all types of steps. A new type is a file in this folder and a name in the list.

import { branchStep } from './branch.ts'
import { delayStep } from './delay.ts'
import { digestStep } from './digest.ts'
import { emailStep } from './email.ts'
import { enrichStep } from './enrich.ts'
import { exitStep } from './exit.ts'
import { inboxStep } from './inbox.ts'
import { throttleStep } from './throttle.ts'
import { waitForStep } from './wait-for.ts'

export const STEP_TYPES = [
  inboxStep,
  emailStep,
  branchStep,
  delayStep,
  enrichStep,
  waitForStep,
  exitStep,
  throttleStep,
  digestStep,
] as const
