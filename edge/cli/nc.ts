// Runs the command line: `npm run nc -- <noun> <verb>`.

import { constants, setPriority } from 'node:os'
import { COMMANDS } from './commands.ts'
import { dispatch } from './dispatch.ts'
import { createWorkplace } from './workplace.ts'

// What was done is done: whoever cannot be told of it, for a disk that is full, must hear that.
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
    createWorkplace(process.env, {
      progress: (text) => process.stderr.write(`${text}\n`),
      lowerPriority: () => setPriority(constants.priority.PRIORITY_LOW),
    }),
)
