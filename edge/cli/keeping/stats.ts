// `nc stats rebuild`: proves the counters of the funnels (contract section 6).

import type { Command } from '../command.ts'

export const statsCommands: Command[] = [
  {
    noun: 'stats',
    verb: 'rebuild',
    summary: 'Recomputes all counters from the delivery events, and puts right what differed.',
    async run(_, place) {
      const { stores } = await place.tools()
      const { counters, differed } = await stores.funnels.rebuild()
      const verdict = differed === 0 ? 'none differed' : `${differed} differed and were put right`
      return { data: { counters, differed }, lines: [`${counters} counters, ${verdict}.`] }
    },
  },
]
