// Runs a command of the command line with the arguments and settings of this process.

import { constants, setPriority } from 'node:os'
import { createCommandContext } from './command-context.ts'
import { COMMANDS } from './commands.ts'
import { dispatch } from './dispatch.ts'

// The command has run already. Its answer may be lost, for example on a full disk, and the operator must know that.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that closes early, such as `head`, is no error.
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`The answer cannot be written: ${error.message}. The command itself was carried out.\n`)
  process.exit(1)
})

process.exitCode = await dispatch(
  COMMANDS,
  process.argv.slice(2),
  { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
  () =>
    createCommandContext(process.env, {
      progress: (text) => process.stderr.write(`${text}\n`),
      lowerPriority: () => setPriority(constants.priority.PRIORITY_LOW),
    }),
)
