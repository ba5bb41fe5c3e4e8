// `npm run nc -- <noun> <verb>`: the command line (contract section 11, last paragraph).

import { constants, setPriority } from 'node:os'
import { COMMANDS } from './commands.ts'
import { dispatch } from './dispatch.ts'
import { createWorkplace } from './workplace.ts'

process.exitCode = await dispatch(
  COMMANDS,
  process.argv.slice(2),
  { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
  () =>
    createWorkplace(process.env, {
      progress: (text) => process.stderr.write(`${text}\n`),
      stepBack: () => setPriority(constants.priority.PRIORITY_LOW),
    }),
)
