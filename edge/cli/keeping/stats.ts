// Implements `nc stats rebuild`, which recomputes the counters of funnels and steps.

import type { Command } from '../command.ts'

export const statsCommands: Command[] = [
  {
    noun: 'stats',
    verb: 'rebuild',
    summary:
      'Recomputes all counters from delivery events, traces and messages, puts right what differed, and removes delivery events without a message.',
    async run(_, context) {
      const { stores } = await context.tools()
      const { counters, differed } = await stores.funnels.rebuild()
      const verdict = differed === 0 ? 'none differed' : `${differed} differed and were put right`
      return { data: { counters, differed }, lines: [`${counters} counters, ${verdict}.`] }
    },
  },
]
