// Names who made a change, for people.

/**
 * @param who As in the audit log; null where that does not know
 * @param place In a sentence
 * @returns a person and an account as they are, a key by what has it, because its id says nothing
 */
export function callerName(who: string | null, place: 'first' | 'within' = 'first'): string {
  if (who !== null && !who.startsWith('sec_')) return who
  const [article, somebody] = place === 'first' ? ['A', 'Somebody else'] : ['a', 'somebody else']
  return who === null ? somebody : `${article} backend with the SDK secret key`
}
