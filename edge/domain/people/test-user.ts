// Defines the id of a person's test user, which no backend gives to a user of its own.

import { formatId, parseId } from '../../lib/id.ts'

const PREFIX = 'test:'

export const testUserId = (personId: number): string => `${PREFIX}${formatId('person', personId)}`

export function isTestUserId(userId: unknown): boolean {
  if (typeof userId !== 'string' || !userId.startsWith(PREFIX)) return false
  return parseId('person', userId.slice(PREFIX.length)) !== undefined
}
