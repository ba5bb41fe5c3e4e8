// Runs the command line (`npm run nc`, or `bin/nc` of an archive); prints the release without loading the commands.

import { RELEASE } from '../lib/release.ts'

const args = process.argv.slice(2)
if (args.length === 1 && /^(--)?version$/.test(args[0] as string)) process.stdout.write(`${RELEASE}\n`)
else {
  const name = import.meta.url.endsWith('.ts') ? 'run-command.ts' : 'run-command.js'
  // Imports by URL, so that a build leaves the commands in a file of their own.
  await import(new URL(name, import.meta.url).href)
}
