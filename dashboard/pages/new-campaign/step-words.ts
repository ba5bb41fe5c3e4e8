// Says in words which steps a definition takes.

interface Step {
  type?: string
  branches?: { steps?: Step[] }[]
  then?: Step[]
  onTimeout?: Step[]
}

const WORDS: Readonly<Record<string, string>> = {
  inbox: 'Message',
  email: 'Mail',
  delay: 'Wait',
  waitFor: 'Wait for an event',
  digest: 'Gather',
  throttle: 'Limit',
  branch: 'Branch',
  enrich: 'Enrich',
  exit: 'End',
}

/** @returns One word a step, in their order, with those of branches and waits in place; ends of a run are left out. */
export function stepWordsOf(definition: Readonly<Record<string, unknown>>): string[] {
  const { steps = [] } = definition as { steps?: Step[] }
  const wordsOf = (list: readonly Step[]): string[] =>
    list.flatMap(({ type = '', branches = [], then = [], onTimeout = [] }) => [
      ...(type === 'exit' ? [] : [WORDS[type] ?? type]),
      ...branches.flatMap((branch) => wordsOf(branch.steps ?? [])),
      ...wordsOf(then),
      ...wordsOf(onTimeout),
    ])
  return wordsOf(steps)
}
